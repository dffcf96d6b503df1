import { useRef } from 'preact/hooks';
import type { Draft } from '../form/draft.ts';
import { fieldOf, firstDraft } from '../form/field.ts';
import type { ControlProps } from './field-props.ts';

/** The items of a list, which can be added, removed and moved. */
export function ListView({ path, root, draft, onDraft, field, issues, Item }: ControlProps) {
  const list = useRef<HTMLDivElement>(null);
  const items = draft.kind === 'list' ? draft.items : [];
  const schema = field.schema['items'];
  const change = (next: readonly Draft[], focus: string): void => {
    onDraft({ kind: 'list', items: next });
    requestAnimationFrame(() => focusOn(list.current, focus));
  };
  const move = (from: number, to: number): void => {
    const next = [...items];
    next.splice(to, 0, ...next.splice(from, 1));
    change(next, to < from ? `up-${to}` : `down-${to}`);
  };
  const remove = (index: number): void => {
    change(
      items.filter((_, at) => at !== index),
      `remove-${Math.min(index, items.length - 2)}`,
    );
  };
  const replace = (index: number, next: Draft): void =>
    onDraft({ kind: 'list', items: items.map((old, at) => (at === index ? next : old)) });
  const add = (): void => change([...items, firstDraft(fieldOf(schema, root), root)], 'add');
  return (
    <div class="fields nested" ref={list} data-testid="list">
      {items.map((item, index) => (
        <Item
          key={index}
          path={`${path}[${index}]`}
          name={String(index)}
          schema={schema}
          root={root}
          draft={item}
          isRequired={false}
          issues={issues}
          extra={
            <ItemButtons
              place={`${path}[${index}]`}
              index={index}
              count={items.length}
              move={move}
              remove={remove}
            />
          }
          onDraft={(next) => replace(index, next)}
        />
      ))}
      <button type="button" class="quiet" data-focus="add" data-testid="add" onClick={add}>
        + add to {path}
      </button>
    </div>
  );
}

/** What had the focus may be gone or stand elsewhere. */
function focusOn(list: HTMLElement | null, name: string): void {
  const target = list?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
  (target ?? list?.querySelector<HTMLElement>('[data-focus="add"]'))?.focus();
}

interface ItemButtonsProps {
  readonly place: string;
  readonly index: number;
  readonly count: number;
  readonly move: (from: number, to: number) => void;
  readonly remove: (index: number) => void;
}

function ItemButtons({ place, index, count, move, remove }: ItemButtonsProps) {
  const buttons = [
    ['up', '↑', `Move ${place} up`, index === 0, () => move(index, index - 1)],
    ['down', '↓', `Move ${place} down`, index === count - 1, () => move(index, index + 1)],
    ['remove', '×', `Remove ${place}`, false, () => remove(index)],
  ] as const;
  return (
    <span class="buttons">
      {buttons.map(([name, sign, label, isDisabled, onClick]) => (
        <button
          key={name}
          type="button"
          class="quiet"
          data-focus={`${name}-${index}`}
          disabled={isDisabled}
          aria-label={label}
          onClick={onClick}
        >
          {sign}
        </button>
      ))}
    </span>
  );
}
