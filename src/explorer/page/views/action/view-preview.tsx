import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ExploredTool, JsonObject } from '../../../contract.ts';
import { Problem } from '../../parts/basic.tsx';
import type { Call } from '../../state/calls.ts';
import { type Failure, failureOf } from '../../state/session.ts';
import { theme as pageTheme } from '../../state/settings.ts';
import { openView, viewUri, ViewHost, type ViewContext } from '../../state/view-host.ts';

/** In pixels: a conversation on a telephone and beside a list, and one on a screen. */
const WIDTHS = [400, 800];
/** In pixels. A view that grows with its frame would never end. */
const MAX_HEIGHT = 2000;

interface Props {
  readonly tool: ExploredTool;
  readonly call: Call | undefined;
}

/** The view of a tool with the result of its last call, as hosts show it. */
export function ViewPreview({ tool, call }: Props) {
  const uri = viewUri(tool);
  if (uri === undefined) return null;
  const { result, args = {}, span } = call ?? {};
  return (
    <section class="view" aria-label="View" data-testid="view">
      {result === undefined ? (
        <p class="faint">After a call, its view {uri} appears here.</p>
      ) : (
        <OpenedView key={span} uri={uri} shown={{ args, result }} />
      )}
    </section>
  );
}

interface OpenedProps {
  readonly uri: string;
  readonly shown: { readonly args: JsonObject; readonly result: JsonObject };
}

function OpenedView({ uri, shown }: OpenedProps) {
  const [path, setPath] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [context, setContext] = useState<ViewContext>({ theme: shownTheme(), width: 400 });
  const [height, setHeight] = useState(150);
  const frame = useRef<HTMLIFrameElement>(null);
  const host = useRef<ViewHost | null>(null);
  useEffect(() => {
    openView(uri).then(setPath, (error: unknown) => setFailure(failureOf(error)));
  }, []);
  // Before the view says its first word
  useLayoutEffect(() => {
    if (frame.current === null) return undefined;
    const onHeight = (wanted: number): void => setHeight(Math.min(Math.max(wanted, 0), MAX_HEIGHT));
    const opened = new ViewHost({ frame: frame.current, context, shown, onHeight });
    host.current = opened;
    return () => opened.stop();
  }, [path]);
  const change = (changes: Partial<ViewContext>): void => {
    const next = { ...context, ...changes };
    setContext(next);
    host.current?.change(next);
  };
  const close = (): void => void host.current?.close().then(() => setPath(''));
  if (failure !== undefined) return <Problem failure={failure} />;
  if (path === '') return <p class="faint">The view is closed. Call again to open it.</p>;
  return (
    <>
      <Switches context={context} onChange={change} onClose={close} />
      <div class="scroll" role="region" aria-label="Frame of the view" tabIndex={0}>
        {path === undefined ? null : (
          <iframe
            ref={frame}
            src={path}
            sandbox="allow-scripts"
            title={`View ${uri}`}
            style={{ width: `${context.width}px`, height: `${height}px`, colorScheme: context.theme }}
          />
        )}
      </div>
    </>
  );
}

interface SwitchesProps {
  readonly context: ViewContext;
  onChange(changes: Partial<ViewContext>): void;
  onClose(): void;
}

/** What a host may change of a view that is open. */
function Switches({ context, onChange, onClose }: SwitchesProps) {
  const { theme, width } = context;
  return (
    <div class="row" role="group" aria-label="Host of the view">
      {WIDTHS.map((each) => (
        <button
          key={each}
          type="button"
          data-testid={`view-${each}`}
          aria-pressed={each === width}
          onClick={() => onChange({ width: each })}
        >
          {each} px
        </button>
      ))}
      <button
        type="button"
        data-testid="view-dark"
        aria-pressed={theme === 'dark'}
        onClick={() => onChange({ theme: theme === 'dark' ? 'light' : 'dark' })}
      >
        dark
      </button>
      <span class="space" />
      <button type="button" data-testid="view-close" onClick={onClose}>
        close view
      </button>
    </div>
  );
}

/** The theme of the page, where it leaves that to the system as well. */
function shownTheme(): ViewContext['theme'] {
  const { value } = pageTheme;
  if (value !== 'system') return value;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
