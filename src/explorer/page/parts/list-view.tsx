import type { ComponentType } from 'preact';
import { useRef } from 'preact/hooks';
import type { Draft } from '../form/draft.ts';
import { type Field, fieldOf, firstDraft } from '../form/field.ts';
import type { FieldProps } from './field-props.ts';

/** The items of a list, which can be added, removed and moved. */
export function ListView({
  path,
  root,
  draft,
  onDraft,
  field,
  issues,
  Item,
}: FieldProps & { readonly field: Field; readonly Item: ComponentType<FieldProps> }) {
  const list = useRef<HTMLDivElement>(null);
  const items = draft.kind === 'list' ? draft.items : [];
  const schema = field.schema['items'];
  const change = (next: readonly Draft[], focus: string): void => {
    onDraft({ kind: 'list', items: next });
    // What had the focus may be gone or stand elsewhere
    requestAnimationFrame(() => {
      const target = list.current?.querySelector<HTMLElement>(
        `[data-focus="${CSS.escape(focus)}"]:not(:disabled)`,
      );
      (target ?? list.current?.querySelector<HTMLElement>('[data-focus="add"]'))?.focus();
    });
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
  const add = (): void => change([...items, firstDraft(fieldOf(schema, root), root)], 'add');
  return (
    <div class="fields nested" ref={list} data-testid="list">
      {items.map((item, index) => {
        const place = `${path}[${index}]`;
        const buttons = (
          <span class="row">
            <button
              type="button"
              class="quiet"
              data-focus={`up-${index}`}
              disabled={index === 0}
              aria-label={`Move ${place} up`}
              onClick={() => move(index, index - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet"
              data-focus={`down-${index}`}
              disabled={index === items.length - 1}
              aria-label={`Move ${place} down`}
              onClick={() => move(index, index + 1)}
            >
              ↓
            </button>
            <button
              type="button"
              class="quiet"
              data-focus={`remove-${index}`}
              aria-label={`Remove ${place}`}
              onClick={() => remove(index)}
            >
              ×
            </button>
          </span>
        );
        return (
          <Item
            key={index}
            path={place}
            name={String(index)}
            schema={schema}
            root={root}
            draft={item}
            isRequired={false}
            issues={issues}
            extra={buttons}
            onDraft={(next) =>
              onDraft({ kind: 'list', items: items.map((old, at) => (at === index ? next : old)) })
            }
          />
        );
      })}
      <button type="button" class="quiet" data-focus="add" data-testid="add" onClick={add}>
        + add to {path}
      </button>
    </div>
  );
}
