import type { Client } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';

/** Where a run stands, as far as this agent looks at it. */
export interface View {
  readonly runId: string;
  readonly token: string;
  readonly status: string;
  readonly step: { readonly id: string; readonly prompt: string; readonly iteration?: number } | null;
  readonly issues: readonly string[];
  /** What programs go by: the codes, and what a schema found where. */
  readonly details: readonly { readonly code: string; readonly info?: unknown }[];
}

/** Does what the latest view of its run says. */
export class Agent {
  readonly #client: Client;
  #view: View | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  get view(): View {
    assert.ok(this.#view, 'there is no run yet');
    return this.#view;
  }

  async call<Result>(name: string, args: Record<string, unknown> = {}): Promise<Result> {
    const { structuredContent, content, isError } = await this.#client.callTool({ name, arguments: args });
    assert.notEqual(isError, true, JSON.stringify(content));
    return structuredContent as Result;
  }

  async start(workflowId: string, goal: string): Promise<void> {
    this.#view = await this.call<View>('workflow_start', { workflowId, goal });
  }

  async resume(runId: string): Promise<void> {
    this.#view = await this.call<View>('workflow_resume', { runId });
  }

  async submit(output: string, context?: object): Promise<void> {
    const { token } = this.view;
    this.#view = await this.call<View>('workflow_continue', { token, output, ...(context && { context }) });
  }
}
