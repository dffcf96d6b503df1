import { useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

interface Props<Name extends string> {
  readonly label: string;
  readonly names: readonly (readonly [name: Name, word: string])[];
  readonly chosen: Name;
  /** Begins the test id of each tab: `view-form`. */
  readonly id: string;
  readonly children?: ComponentChildren;
  onChoose(name: Name): void;
}

/** Views of one thing. The arrow keys go from one to the next, as everywhere. */
export function Tabs<Name extends string>({ label, names, chosen, id, children, onChoose }: Props<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const takeKey = (event: KeyboardEvent): void => {
    const at = names.findIndex(([name]) => name === chosen);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
    const next = to === undefined ? undefined : names.at(to % names.length)?.[0];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`[data-testid="${id}-${next}"]`)?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={takeKey}>
        {names.map(([name, word]) => (
          <button
            key={name}
            type="button"
            role="tab"
            data-testid={`${id}-${name}`}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {word}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
