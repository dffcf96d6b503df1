import type { McpClient } from '../../client/mcp-client.ts';
import { isPlainObject, membersOf, type PlainObject } from '../../shared/json.ts';
import { visibleText } from '../../shared/visible-text.ts';
import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult } from '../../index.ts';
import { createAnswers, type Answers } from '../call/answers.ts';
import { findTool } from '../call/find-tool.ts';
import { readJson } from '../call/json-text.ts';
import { applyKeyValues } from '../call/key-values.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Progress } from '../output/progress.ts';
import type { Terminal } from '../output/terminal.ts';
import { Signals } from '../target/signals.ts';
import { openTarget, splitValues, type Target, type TargetOptions } from '../target/target.ts';

interface CallOptions extends TargetOptions {
  readonly prompt?: boolean;
  readonly input?: string | boolean;
  readonly actionVersion?: string;
  readonly answer?: string;
  readonly dryRun?: boolean;
}

/** Calls one tool, gets one prompt, or reads one resource. */
export const run: RunCommand<CallOptions> = async ({ values, options }, terminal) => {
  const { reference, rest } = splitValues(values, options);
  const [name, ...pairs] = rest;
  if (name === undefined) throw nothingToCall();
  const signals = new Signals();
  const target = await openTarget(reference, options);
  try {
    const call = new Call(target, options, terminal, name, pairs);
    const interrupted = signals.received.then((signal) => call.interrupt(signal));
    const ended = call
      .run()
      .catch((error: unknown) => (call.isInterrupted ? interrupted : Promise.reject(error as Error)));
    return await Promise.race([ended, interrupted]);
  } finally {
    await target.close();
    signals.release();
  }
};

/** One call from the command line: what it sends, who answers its questions, and what it shows. */
class Call {
  readonly #target: Target;
  readonly #options: CallOptions;
  readonly #terminal: Terminal;
  readonly #name: string;
  readonly #pairs: readonly string[];
  readonly #abort = new AbortController();
  #progress: Progress | undefined;
  #answers: Answers | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  isInterrupted = false;

  constructor(
    target: Target,
    options: CallOptions,
    terminal: Terminal,
    name: string,
    pairs: readonly string[],
  ) {
    this.#target = target;
    this.#options = options;
    this.#terminal = terminal;
    this.#name = name;
    this.#pairs = pairs;
  }

  async run(): Promise<ExitCode> {
    const input = await this.#readInput();
    const client = await this.#connect();
    if (this.#options.prompt === true) return this.#getPrompt(client, input);
    if (this.#name.includes('://')) return this.#readResource(client);
    return this.#callTool(client, input);
  }

  /** Cancels the call at the server. */
  async interrupt(signal: 'SIGINT' | 'SIGTERM'): Promise<ExitCode> {
    this.isInterrupted = true;
    this.#abort.abort(new Error('The call was cancelled at the terminal'));
    this.#progress?.end();
    await this.#ended.catch(() => undefined);
    this.#terminal.say('Cancelled.');
    return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  }

  async #connect(): Promise<McpClient> {
    const answers = await createAnswers(this.#options.answer, this.#terminal, (error) => {
      this.#abort.abort(error);
    });
    this.#answers = answers;
    const { isVerbose } = this.#terminal;
    return this.#target.connect({
      ...(isVerbose ? { logLevel: 'debug' as const } : {}),
      onElicitation: (question) => {
        // The bar and a form would draw over each other
        this.#progress?.end();
        return answers.onElicitation(question);
      },
      onNotification: (method, params) => {
        if (method === 'notifications/message') this.#terminal.mention(visibleText(JSON.stringify(params)));
      },
    });
  }

  async #readInput(): Promise<PlainObject> {
    const { input } = this.#options;
    if (typeof input !== 'string') return {};
    const given = await readJson('--input', input, this.#terminal.stdin);
    if (isPlainObject(given)) return given;
    throw new CliError('TW_CLI_INPUT', {
      where: '--input',
      what: 'is not an object.',
      why: 'arguments have names.',
      fix: `--input '{"name":"value"}'`,
    });
  }

  async #callTool(client: McpClient, input: PlainObject): Promise<ExitCode> {
    const tools = await client.listTools({ signal: this.#abort.signal });
    const early: PlainObject = Object.fromEntries(
      this.#pairs.map((pair) => pair.split('=', 2) as [string, string]),
    );
    const found = findTool(this.#name, tools, this.#target.application, { ...input, ...early });
    const args = applyKeyValues({ ...input, ...found.args }, this.#pairs, found.schema);
    if (this.#options.dryRun === true) return this.#show('tools/call', { name: found.name, arguments: args });
    const { actionVersion } = this.#options;
    const version = actionVersion === undefined ? {} : { version: actionVersion };
    const call = (given: PlainObject): Promise<CallToolResult> =>
      this.#during(found.name, (sent) => client.callTool(found.name, given, { ...sent, ...version }));
    const first = await call(args);
    const confirmation = await this.#confirmationOf(first);
    const result = confirmation === undefined ? first : await call({ ...args, confirmation });
    const text = toolResultText(result);
    this.#terminal.give(result, () => this.#terminal.foreign(text));
    if (text === '') this.#terminal.say('The answer has no content.');
    if (result.isError !== true) return EXIT.done;
    this.#terminal.failed({ code: 'TW_CLI_RESULT', message: text, where: this.#name });
    return EXIT.refused;
  }

  /** What a second call brings that the server wants confirmed, if somebody here agrees to it. */
  async #confirmationOf({ _meta: meta }: CallToolResult): Promise<string | undefined> {
    const { code, message, details } = membersOf(membersOf(meta)['toolwright/error']);
    const { confirmation } = membersOf(details);
    if (code !== 'CONSENT_REQUIRED' || typeof confirmation !== 'string') return undefined;
    // Without anybody to ask, the result says how to confirm the call
    if (!this.#terminal.canAsk && this.#options.answer === undefined) return undefined;
    const answer = await this.#answers?.onElicitation({ message, requestedSchema: { type: 'object' } });
    return answer?.['action'] === 'accept' ? confirmation : undefined;
  }

  async #getPrompt(client: McpClient, input: PlainObject): Promise<ExitCode> {
    // All arguments of prompts are texts
    const given = { ...input, ...applyKeyValues({}, this.#pairs, {}) };
    const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
    if (this.#options.dryRun === true) {
      return this.#show('prompts/get', { name: this.#name, arguments: args });
    }
    const result = await this.#during(this.#name, (sent) => client.getPrompt(this.#name, args, sent));
    this.#terminal.give(result, () => this.#terminal.foreign(promptText(result)));
    return EXIT.done;
  }

  async #readResource(client: McpClient): Promise<ExitCode> {
    if (this.#options.dryRun === true) return this.#show('resources/read', { uri: this.#name });
    const result = await this.#during(this.#name, (sent) => client.readResource(this.#name, sent));
    this.#terminal.give(result, () => this.#terminal.foreign(resourceText(result)));
    return EXIT.done;
  }

  /** Shows how far a request is, as long as it runs. */
  async #during<Result>(
    label: string,
    send: (options: Parameters<McpClient['request']>[2] & object) => Promise<Result>,
  ): Promise<Result> {
    const progress = this.#terminal.progress(label);
    this.#progress = progress;
    const running = send({
      signal: this.#abort.signal,
      onProgress: (report) => {
        progress.report(report);
      },
    });
    this.#ended = running;
    try {
      return await running;
    } finally {
      progress.end();
    }
  }

  #show(method: string, params: PlainObject): ExitCode {
    const text = JSON.stringify({ method, params }, undefined, 2);
    this.#terminal.give({ method, params }, () => this.#terminal.foreign(text));
    return EXIT.done;
  }
}

function nothingToCall(): CliError {
  return new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright call',
    what: 'does not say what to call.',
    fix: 'toolwright call server.ts tasks.create title=Milk',
  });
}

type ResourceContents = ReadResourceResult['contents'][number];

/** The content of a result as text; structured content counts where there is nothing else. */
export function toolResultText({ content, structuredContent }: CallToolResult): string {
  const text = content.map(blockText).join('\n');
  if (text !== '' || structuredContent === undefined) return text;
  return JSON.stringify(structuredContent, undefined, 2);
}

/** The messages of a prompt, each below the name of its role. */
export function promptText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => `${role}:\n${blockText(content)}`).join('\n\n');
}

export function resourceText({ contents }: ReadResourceResult): string {
  return contents.map(contentsText).join('\n');
}

/** What is not text is named, with its kind and size. */
function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${sizeOf(block.data)}]`;
    case 'resource_link':
      return `[${block.title ?? block.name}: ${block.uri}]`;
    case 'resource':
      return contentsText(block.resource);
    default:
      return JSON.stringify(block);
  }
}

function contentsText({ text, blob = '', mimeType, uri }: ResourceContents): string {
  return text ?? `[${mimeType ?? 'data'} of ${uri}, ${sizeOf(blob)}; --json has it as base64]`;
}

function sizeOf(base64: string): string {
  return `${String(Buffer.byteLength(base64, 'base64'))} bytes`;
}
