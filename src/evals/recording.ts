import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { isPlainObject, membersOf, parseJson, type PlainObject } from '../shared/json.ts';
import { withoutSecrets } from './secrets.ts';
import { CONVERSATIONS, type EvalModel, type ModelFormat } from './model.ts';

/** A line of a recording. */
interface RecordedAnswer {
  /** SHA-256 of the name of the model and the request in canonical JSON, tools included. */
  readonly key: string;
  readonly model: string;
  readonly format: ModelFormat;
  /** The request without its tools: these are in the key. */
  readonly request: PlainObject;
  readonly response: PlainObject;
}

/** A recording has no answer to a request: the tools, the case or a result are not what they were. */
export class StaleRecording extends Error {}

function writeKey({ format, name }: Pick<EvalModel, 'format' | 'name'>, request: PlainObject): string {
  return createHash('sha256')
    .update(canonicalJson([format, name, request]))
    .digest('hex');
}

/**
 * A model that gives the answers of a recording, and asks nobody. Where it has none, because the tools or the case have
 * changed, the case is stale.
 * @param path a file of JSON lines, which {@link recordModel} wrote
 * @throws ToolwrightError TW_EVALS_MODEL for a file that cannot be read
 *
 * @example
 * const model = await recordedModel('evals.recorded.jsonl');
 */
export async function recordedModel(path: string): Promise<EvalModel> {
  const answers = new Map<string, PlainObject[]>();
  let first: RecordedAnswer | undefined;
  for (const line of (await readRecording(path)).split('\n')) {
    if (line.trim() === '') continue;
    const record = readLine(line, path);
    first ??= record;
    answers.set(record.key, [...(answers.get(record.key) ?? []), record.response]);
  }
  if (first === undefined) throw unreadable(path, 'has no answers.');
  const { model: name, format } = first;
  const asked = new Map<string, number>();
  return {
    name,
    format,
    respond: async (request) => {
      const key = writeKey({ format, name }, request);
      const turn = asked.get(key) ?? 0;
      asked.set(key, turn + 1);
      // A further trial than was recorded is the last one again
      const answer = answers.get(key)?.at(Math.min(turn, (answers.get(key)?.length ?? 0) - 1));
      if (answer === undefined)
        throw new StaleRecording(
          `${path} has no answer to this request: the tools, the case or a result have changed since.`,
        );
      return answer;
    },
  };
}

/**
 * The same model, whose answers are written to a file for {@link recordedModel}. The first one takes the place of what was
 * in the file. Neither keys nor headers are written.
 * Values of the environment whose names speak of keys, tokens, secrets or passwords are taken out.
 * @param secrets further texts that may not be in the file, of four characters or more
 *
 * @example
 * const model = recordModel(await liveModel('openai/gpt-5-mini'), 'evals.recorded.jsonl');
 */
export function recordModel(model: EvalModel, path: string, secrets: readonly string[] = []): EvalModel {
  const { name, format } = model;
  // Answers of an earlier run would be given first
  let flag = 'w';
  return {
    name,
    format,
    respond: async (request, signal) => {
      const response = await model.respond(request, signal);
      const record = {
        key: writeKey(model, request),
        model: name,
        format,
        request: withoutTools(request),
        response,
      };
      const usage = CONVERSATIONS[format].read(membersOf(response))?.usage;
      const shown = withoutSecrets({ ...record, ...(usage === undefined ? {} : { usage }) }, secrets);
      await writeFile(path, `${JSON.stringify(shown)}\n`, { flag });
      flag = 'a';
      return response;
    },
  };
}

function withoutTools({ tools: _tools, config, ...request }: PlainObject): PlainObject {
  const { tools: _further, ...others } = membersOf(config);
  return Object.keys(others).length === 0 ? request : { ...request, config: others };
}

async function readRecording(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, 'cannot be read.', cause);
  }
}

function readLine(line: string, path: string): RecordedAnswer {
  const value = parseJson(line);
  const { key, format, response, model } = membersOf(value);
  const isKnown = typeof format === 'string' && Object.hasOwn(CONVERSATIONS, format);
  if (typeof key === 'string' && isKnown && typeof model === 'string' && isPlainObject(response))
    return value as RecordedAnswer;
  throw unreadable(path, 'has a line that is not an answer of a model.');
}

function unreadable(path: string, what: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('TW_EVALS_MODEL', {
    where: path,
    what,
    fix: `toolwright eval --model live:<provider>/<model> --record --recording ${path}`,
    cause,
  });
}
