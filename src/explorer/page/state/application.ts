import { computed, signal } from '@preact/signals';
import {
  type ExploredAction,
  type ExploredApplication,
  type ExploredTool,
  type ExplorerEvent,
  type LockView,
  type ModelView,
  PATHS,
  type SwapFailure,
} from '../../contract.ts';
import { listed, withListed } from './listed.ts';
import { type Loaded, Loader } from './loaded.ts';
import { askApi, type Failure } from './session.ts';
import { caller, modelFormat } from './settings.ts';

const applications = new Loader<ExploredApplication>();
const models = new Loader<ModelView>();
const locks = new Loader<LockView>();

/** As the server describes it. */
export const described = applications.loaded;
export const application = computed<Loaded<ExploredApplication>>(() => {
  const { value } = described;
  return value.state === 'ready' ? { ...value, value: withListed(value.value, listed.value) } : value;
});
/** All tools, as the chosen format has them. */
export const model = models.loaded;
export const lock = locks.loaded;

/** Whether the stream of events is open. */
export const isConnected = signal(false);
/** Why it could not be opened again. */
export const lost = signal<Failure | undefined>(undefined);
/** What happened last, as a notice. */
export const notice = signal<{ readonly text: string; readonly link?: string } | undefined>(undefined);
/** What was saved last and is not served: events alone say so, since an answer may be older than they are. */
export const problems = signal<SwapFailure | undefined>(undefined);

const known = computed(() => (application.value.state === 'ready' ? application.value.value : undefined));
export const knownApplication = known;

export function loadApplication(): Promise<void> {
  const chosen = caller.value;
  return applications.load(chosen ?? '', async (given) => {
    const response = await askApi(PATHS.application, { query: { caller: chosen }, signal: given });
    return (await response.json()) as ExploredApplication;
  });
}

export function loadModel(): Promise<void> {
  const query = { format: modelFormat.value, caller: caller.value };
  return models.load(JSON.stringify(query), async (given) => {
    const response = await askApi(PATHS.model, { query, signal: given });
    return (await response.json()) as ModelView;
  });
}

export function loadLock(): Promise<void> {
  return locks.load('', async (given) => {
    const response = await askApi(PATHS.lock, { signal: given });
    return (await response.json()) as LockView;
  });
}

export function toolNamed(name: string | undefined): ExploredTool | undefined {
  return known.value?.tools.find((tool) => tool.name === name);
}

export function actionNamed(
  tool: ExploredTool | undefined,
  key: string | undefined,
): ExploredAction | undefined {
  // A link to a tool as a whole leads to its first action
  return key === undefined ? tool?.actions[0] : tool?.actions.find((action) => action.key === key);
}

/** What an event of the server means for what is shown; traffic of others is the timeline's. */
export function takeEvent(event: ExplorerEvent): void {
  if (event.type === 'connected') {
    isConnected.value = true;
    lost.value = undefined;
    if (known.value !== undefined && known.value.surfaceHash !== event.surfaceHash) reload();
    problems.value = event.failure;
  } else if (event.type === 'swapped') {
    problems.value = undefined;
    const { files, milliseconds, changed } = event;
    const what = changed.length === 0 ? 'no list changed' : `${changed.join(', ')} changed`;
    notice.value = {
      text: `Swapped in ${milliseconds.toFixed(0)} ms after ${files.join(', ')}: ${what}.`,
      ...(changed.length === 0 ? {} : { link: '#/lock' }),
    };
    reload();
  } else if (event.type === 'failed') problems.value = event.failure;
  else if (event.type === 'recovered') problems.value = undefined;
  else if (event.type === 'changed' && event.kind !== 'resource') reload();
}

function reload(): void {
  void loadApplication();
  void loadModel();
  void loadLock();
}
