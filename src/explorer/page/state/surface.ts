import { computed, signal } from '@preact/signals';
import { type ExplorerEvent, PATHS, type SurfaceView } from '../../contract.ts';
import { Loader } from './loaded.ts';
import { route } from './route.ts';
import { askApi } from './session.ts';
import { caller } from './settings.ts';

const surfaces = new Loader<SurfaceView>();

/** What the chosen client, or a client of the chosen surface, is listed. */
export const surface = surfaces.loaded;

/** Grows where the same question may have another answer. */
const changes = signal(0);

/** What the view asks for: `surface=flat`, `client=codex`; undefined where the view is another one. */
const request = computed(() => {
  const [place, kind = '', name = ''] = route.value;
  if (place !== 'surfaces') return undefined;
  const chosen = kind === 'surface' || kind === 'client' ? { [kind]: name } : {};
  return { query: { ...chosen, caller: caller.value }, change: changes.value };
});

/** The choice stays, with the focus, until the answer for another one is there. */
export async function loadSurface(): Promise<void> {
  const { value } = request;
  if (value === undefined) return;
  const { query } = value;
  await surfaces.load(query.caller ?? '', async (given) => {
    const response = await askApi(PATHS.surface, { query, signal: given });
    return (await response.json()) as SurfaceView;
  });
}

/** What is listed, or who is there, may be something else after these events. */
export function takeSurfaceEvent({ type }: ExplorerEvent): void {
  if (type === 'client' || type === 'swapped' || type === 'changed') changes.value += 1;
}
