import { isConnected, knownApplication, model } from '../state/application.ts';
import { caller, era, theme } from '../state/settings.ts';
import { isPaletteOpen } from './palette.tsx';
import { isDrawerOpen } from './tree.tsx';

const THEMES = ['system', 'light', 'dark'] as const;
const LOCKS = {
  same: '= lock ✓',
  different: '≠ lock',
  missing: 'no lock',
  unreadable: 'lock unreadable',
  unknown: '',
} as const;

/** What application this is, how it is seen, and what it costs. */
export function Bar() {
  const known = knownApplication.value;
  const tokens = model.value.state === 'ready' ? model.value.value : undefined;
  return (
    <header class="bar">
      <button
        type="button"
        class="quiet drawer-only"
        aria-expanded={isDrawerOpen.value}
        aria-controls="tree"
        onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
      >
        ☰<span class="unseen"> What there is</span>
      </button>
      <span
        class="dot"
        data-state={isConnected.value ? 'connected' : 'away'}
        role="img"
        aria-label={isConnected.value ? 'Connected' : 'Not connected'}
      />
      <h1>
        <a href="#/">{known?.server.title ?? known?.server.name ?? 'Explorer'}</a>
        <small>{known?.server.version}</small>
      </h1>
      <label class="wide-only">
        era{' '}
        <select
          data-testid="era"
          value={era.value}
          onChange={(event) => (era.value = event.currentTarget.value as '2025' | '2026')}
        >
          <option value="2025">2025-11-25</option>
          <option value="2026">2026-07-28</option>
        </select>
      </label>
      {known?.authorization === undefined ? null : (
        <label class="wide-only">
          caller{' '}
          <select
            data-testid="caller"
            value={caller.value ?? 'everything'}
            onChange={(event) => (caller.value = event.currentTarget.value)}
          >
            {known.authorization.callers.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {known === undefined ? null : (
        <a class="wide-only faint" href="#/lock" title={known.surfaceHash}>
          surface <code>{known.surfaceHash.slice(0, 8)}</code> {LOCKS[known.lock ?? 'unknown']}
        </a>
      )}
      <span class="space" />
      {tokens === undefined ? null : (
        <a class="number" href="#/model" data-testid="tokens">
          {tokens.isExact ? '' : '≈ '}
          {tokens.tokens.toLocaleString('en')} tok
        </a>
      )}
      <button type="button" class="quiet" onClick={() => (isPaletteOpen.value = true)}>
        <kbd>⌘K</kbd> search
      </button>
      <button
        type="button"
        class="quiet"
        data-testid="theme"
        aria-label={`Theme: ${theme.value}`}
        onClick={() => (theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system')}
      >
        {theme.value === 'dark' ? '☾' : theme.value === 'light' ? '☀' : '◐'}
      </button>
    </header>
  );
}
