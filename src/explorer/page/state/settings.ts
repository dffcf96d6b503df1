import { effect, signal, type Signal } from '@preact/signals';

/** A setting that this browser remembers, where it may. */
function remembered<Value>(name: string, initial: Value): Signal<Value> {
  const key = `toolwright-explorer-${name}`;
  const setting = signal(read(key, initial));
  effect(() => {
    const text = JSON.stringify(setting.value);
    try {
      localStorage.setItem(key, text);
    } catch {
      // Storage may be full or forbidden; the setting lasts as long as the page
    }
  });
  return setting;
}

function read<Value>(key: string, initial: Value): Value {
  try {
    const text = localStorage.getItem(key);
    return text === null ? initial : (JSON.parse(text) as Value);
  } catch {
    return initial;
  }
}

export const theme = remembered<'system' | 'light' | 'dark'>('theme', 'system');
export const leftWidth = remembered('left', 260);
export const rightWidth = remembered('right', 340);
/** Where there is little room, what happened is asked for. */
export const isTimelineOpen = remembered('timeline', innerWidth > 600);
export const era = remembered<'2025' | '2026'>('era', '2026');
export const modelFormat = remembered('format', 'mcp');

/** The client that this page is at each authorization server, by issuers. A client of a page has no secret. */
export const clients = remembered<Readonly<Record<string, string>>>('clients', {});

/** Not remembered: headers may be secrets, and a caller belongs to one application. */
export const caller = signal<string | undefined>(undefined);
export const headers = signal<readonly (readonly [string, string])[]>([]);

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
});
