import { type ComponentChildren, Component } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Loaded } from '../state/loaded.ts';
import { type Meaning, MEANINGS } from '../state/offers.ts';
import { type Failure, failureOf } from '../state/session.ts';

interface Children {
  readonly children?: ComponentChildren;
}

/** A word of at most 11 letters that says what something is. */
export function Badge({ meaning = 'none', children }: Children & { readonly meaning?: Meaning }) {
  return (
    <span class="badge" data-meaning={meaning}>
      {children}
    </span>
  );
}

/** The letter of a meaning, with its word for those who do not see it. */
export function Mark({ meaning }: { readonly meaning: Meaning }) {
  const { letter, word } = MEANINGS[meaning];
  return letter === '' ? null : (
    <span class="mark" data-meaning={meaning} title={word}>
      <span aria-hidden="true">{letter}</span>
      <span class="unseen">{word}</span>
    </span>
  );
}

/** Large figures, each with its word below. */
export function Figures({ of }: { readonly of: readonly (readonly [word: string, figure: string])[] }) {
  return (
    <dl class="figures">
      {of.map(([word, figure]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd class={figure === '0' ? 'number faint' : 'number'}>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Copies a text, and says so. */
export function Copy({ text, children = 'copy' }: Children & { readonly text: () => string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isCopied ? 'copied' : children}
    </button>
  );
}

/** What, why, fix: in the order of the catalogue. */
export function Problem({ failure }: { readonly failure: Failure }) {
  const { what, why, fix, code } = failure;
  return (
    <div class="problem" role="alert" data-testid="failure">
      {code === undefined ? null : <code class="code">{code}</code>}
      <p class="strong">{withoutCode(what, code)}</p>
      {why === undefined ? null : (
        <p class="faint">
          <span class="label">why:</span> {why}
        </p>
      )}
      {fix === undefined ? null : (
        <p>
          <span class="label">fix:</span> {fix}
        </p>
      )}
    </div>
  );
}

/** The code stands before it already. */
function withoutCode(what: string, code: string | undefined): string {
  return code !== undefined && what.startsWith(`${code}: `) ? what.slice(code.length + 2) : what;
}

/** Says what would be here, and how it gets here. */
export function Empty({
  title,
  code,
  children,
}: Children & { readonly title: string; readonly code?: string }) {
  return (
    <div class="empty" data-state="empty">
      <p class="strong">{title}</p>
      <p>{children}</p>
      {code === undefined ? null : (
        <p class="snippet">
          <code>{code}</code> <Copy text={() => code} />
        </p>
      )}
    </div>
  );
}

/** What was asked for, once it is there. */
export function Ready<Value>({
  of: loaded,
  children,
}: {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (loaded.state === 'failed') return <Problem failure={loaded.failure} />;
  if (loaded.state === 'ready') return <>{children(loaded.value)}</>;
  return <Skeleton />;
}

/** Stands where something will be, after a moment, and does not move. */
export function Skeleton() {
  return (
    <div class="skeleton" data-state="loading" aria-busy="true">
      <span class="unseen">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Keeps a fault of one part from taking the page away. */
export class Fence extends Component<Children & { readonly name: string }, { failure?: Failure }> {
  override state: { failure?: Failure } = {};

  static override getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: failureOf(error) };
  }

  override componentDidUpdate({ name }: { readonly name: string }): void {
    if (name !== this.props.name && this.state.failure !== undefined)
      this.setState({ failure: undefined as never });
  }

  override render() {
    const { failure } = this.state;
    return failure === undefined ? <>{this.props.children}</> : <Problem failure={failure} />;
  }
}

/** Calls a function for keys that are pressed anywhere but in a dialog, which stands before all else. */
export function useKeys(take: (event: KeyboardEvent) => void): void {
  // Before the next event: a later effect would leave the key to a function that knows what was there before
  useLayoutEffect(() => {
    const takeUnder = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog[open]') === null) take(event);
    };
    addEventListener('keydown', takeUnder);
    return () => removeEventListener('keydown', takeUnder);
  });
}

export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
