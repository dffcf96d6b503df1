import type { ExploredApplication, NamedCaller } from '../../contract.ts';
import { tokensOf } from '../parts/figures.ts';
import { Keys } from '../parts/keys.tsx';
import { isConnected, knownApplication, model } from '../state/application.ts';
import { caller, era, theme } from '../state/settings.ts';
import { signedIn } from '../state/sign-in.ts';
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
  return (
    <header class="bar">
      <button
        type="button"
        id="drawer"
        class="quiet drawer-only"
        aria-expanded={isDrawerOpen.value}
        aria-controls="tree"
        onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
      >
        <span aria-hidden="true">☰</span>
        <span class="unseen">What there is</span>
      </button>
      <span
        class="dot"
        data-state={isConnected.value ? 'connected' : 'away'}
        role="img"
        aria-label={isConnected.value ? 'Connected' : 'Not connected'}
        title={isConnected.value ? 'Connected' : 'Not connected'}
      />
      <h1>
        <a href="#/" title={nameOf(known)}>
          {nameOf(known)}
        </a>
        <small>{known?.server.version}</small>
      </h1>
      {known === undefined || isConnected.value ? null : (
        <span class="away" aria-hidden="true">
          not connected
        </span>
      )}
      <EraChoice />
      {known?.authorization === undefined ? null : <CallerChoice callers={known.authorization.callers} />}
      {known === undefined ? null : (
        <a class="wide-only faint" href="#/lock" title={known.surfaceHash}>
          surface <code>{known.surfaceHash.slice(0, 8)}</code>{' '}
          <span class="lock" data-state={known.lock}>
            {LOCKS[known.lock ?? 'unknown']}
          </span>
        </a>
      )}
      <span class="space" />
      <Tokens />
      <button type="button" class="search" onClick={() => (isPaletteOpen.value = true)}>
        search <Keys of="Mod K" />
      </button>
      <ThemeButton />
    </header>
  );
}

function nameOf(known: ExploredApplication | undefined): string {
  return known === undefined ? 'Explorer' : (known.server.title ?? known.server.name);
}

function EraChoice() {
  return (
    <label class="wide-only">
      <span class="faint">era</span>
      <select
        data-testid="era"
        value={era.value}
        onChange={(event) => (era.value = event.currentTarget.value as '2025' | '2026')}
      >
        <option value="2025">2025-11-25</option>
        <option value="2026">2026-07-28</option>
      </select>
    </label>
  );
}

function CallerChoice({ callers }: { readonly callers: readonly NamedCaller[] }) {
  const { value: person } = signedIn;
  const isMadeUp = caller.value?.startsWith('{') === true && caller.value !== person?.caller;
  return (
    <label class="wide-only">
      <span class="faint">caller</span>
      <select
        data-testid="caller"
        value={isMadeUp ? 'made up' : (caller.value ?? 'everything')}
        onChange={(event) => (caller.value = event.currentTarget.value)}
      >
        {callers.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
        {isMadeUp ? <option value="made up">made up</option> : null}
        {person === undefined ? null : <option value={person.caller}>{person.name}, signed in</option>}
      </select>
    </label>
  );
}

function Tokens() {
  const { value } = model;
  return value.state !== 'ready' ? null : (
    <a class="number" href="#/model" data-testid="tokens" title="What all tools cost a model">
      {tokensOf(value.value.tokens, value.value.isExact)}
    </a>
  );
}

const SIGNS = { dark: '☾', light: '☀', system: '◐' } as const;

export function ThemeButton() {
  return (
    <button
      type="button"
      class="quiet"
      data-testid="theme"
      aria-label={`Theme: ${theme.value}`}
      title={`Theme: ${theme.value}`}
      onClick={() => (theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system')}
    >
      {SIGNS[theme.value]}
    </button>
  );
}
