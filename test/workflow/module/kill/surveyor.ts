import { expect } from '@jest/globals';
import type { RunSummary, RunView } from 'toolwright/workflow';
import type { FeatureClient } from '../../../support/connections/feature-client.ts';
import type { Random } from '../../../support/random.ts';

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** More than any way through the workflow takes. */
const MOST_CALLS = 30;
const SITES = ['north', 'east', 'west'];

/** What the agent does next: it goes by the view alone, so a run has one story whatever happens in between. */
function answerTo({ token, step, status }: RunView): Call {
  const hand = (output: string, context?: object): Call => ({
    name: 'workflow_continue',
    arguments: { token, output, ...(context && { context }) },
  });
  // The user is yet to say something; there is no output to hand in twice.
  if (status === 'awaiting_confirmation') return { name: 'workflow_continue', arguments: { token } };
  if (step?.id === 'plan') return hand(status === 'blocked' ? 'Plan: all three' : 'No idea');
  const number = step?.iteration ?? 0;
  return step?.id === 'visit'
    ? hand(`Was at site ${number}`, { [`seen-${number}`]: true })
    : hand(`Did ${step?.id}`);
}

/** An agent with one run, which remembers the answers it got when the server is gone. */
export class Surveyor {
  readonly goal: string;
  /** All it was ever told of its run, in order. */
  readonly views: RunView[] = [];
  readonly #random: Random;
  readonly #answered: { readonly call: Call; readonly view: RunView }[] = [];
  #unanswered: Call | undefined;

  constructor(goal: string, random: Random) {
    this.goal = goal;
    this.#random = random;
  }

  /** Whether it waits for an answer. */
  get isWaiting(): boolean {
    return this.#unanswered !== undefined;
  }

  get runId(): string {
    return this.#latest?.runId ?? '';
  }

  /** Goes on until the run is complete. @param told - called after each answer */
  async work(client: FeatureClient, told: () => void = () => undefined): Promise<void> {
    const unanswered = this.#unanswered;
    if (unanswered !== undefined && this.#random.chance(0.5)) await this.#send(client, unanswered);
    else if (unanswered !== undefined) await this.#resume(client);
    for (let calls = 0; calls < MOST_CALLS; calls += 1) {
      if (this.#latest?.status === 'completed') return;
      await this.#send(client, this.#latest === undefined ? this.#start() : answerTo(this.#latest));
      told();
    }
    throw new Error(`${this.goal} does not come to an end`);
  }

  /** Sends everything once more that it was answered, as a client with an unreliable memory would. */
  async repeat(client: FeatureClient): Promise<void> {
    for (const { call, view } of this.#answered) {
      const again = await ask<RunView>(client, call);
      if (isRecorded(call)) expect(again).toEqual(view);
      else expect(again.runId).toBe(this.runId);
    }
  }

  get #latest(): RunView | undefined {
    return this.views.at(-1);
  }

  #start(): Call {
    const { goal } = this;
    const args = { workflowId: 'survey', goal, context: { sites: SITES }, idempotencyKey: goal };
    return { name: 'workflow_start', arguments: args };
  }

  async #resume(client: FeatureClient): Promise<void> {
    const query = { name: 'workflow_resume', arguments: { query: this.goal } };
    const { runs } = await ask<{ readonly runs: readonly RunSummary[] }>(client, query);
    const [{ runId } = { runId: undefined }] = runs;
    if (runId === undefined) return;
    this.views.push(await ask<RunView>(client, { name: 'workflow_resume', arguments: { runId } }));
  }

  async #send(client: FeatureClient, call: Call): Promise<void> {
    this.#unanswered = call;
    const view = await ask<RunView>(client, call);
    this.#unanswered = undefined;
    this.#answered.push({ call, view });
    this.views.push(view);
  }
}

/** Whether the same call has the same answer forever: no user is asked before it is given. */
function isRecorded({ arguments: { output } }: Call): boolean {
  return output !== undefined && output !== 'Did approve';
}

async function ask<Answer>(client: FeatureClient, call: Call): Promise<Answer> {
  const { isError, content, structuredContent } = await client.callTool(call);
  if (isError === true) throw new Error(`${call.name} failed: ${JSON.stringify(content)}`);
  return structuredContent as Answer;
}
