import type { McpClient } from '../../client/mcp-client.ts';
import { isPlainObject, membersOf, type PlainObject } from '../../shared/json.ts';
import { visibleLine, visibleText } from '../../shared/visible-text.ts';
import type { CallToolResult } from '../../index.ts';
import {
  blobsIn,
  promptText,
  resourceBlobs,
  resourceText,
  toolResultText,
  type Blob,
} from '../call/answer-text.ts';
import { createAnswers, type Answers } from '../call/answers.ts';
import { findOther, listPrimitives, namesOfPrimitives } from '../call/find-other.ts';
import { findTool, unknownName, type FoundTool } from '../call/find-tool.ts';
import { readJson } from '../call/json-text.ts';
import { applyKeyValues } from '../call/key-values.ts';
import { saveAnswer } from '../call/save-answer.ts';
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
  /** Where the answer is saved. */
  readonly out?: string;
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
    const call = new Call(target, options, terminal, name, pairs, () => {
      signals.interrupt();
    });
    const interrupted = signals.received.then((signal) => call.interrupt(signal));
    const ended = call.run().then(
      (code) => (call.isInterrupted ? interrupted : code),
      (error: unknown) => (call.isInterrupted ? interrupted : Promise.reject(error as Error)),
    );
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
  /** Ends the command as Ctrl-C does. */
  readonly #end: () => void;
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
    end: () => void,
  ) {
    this.#target = target;
    this.#options = options;
    this.#terminal = terminal;
    this.#name = name;
    this.#pairs = pairs;
    this.#end = end;
  }

  async run(): Promise<ExitCode> {
    const input = await this.#readInput();
    const client = await this.#connect();
    if (this.#options.prompt === true) return this.#getPrompt(client, input);
    if (this.#name.includes('://')) return this.#readResource(client, this.#name);
    const { signal } = this.#abort;
    const tools = 'tools' in client.server.capabilities ? await client.listTools({ signal }) : [];
    const early: PlainObject = Object.fromEntries(
      this.#pairs.map((pair) => pair.split('=', 2) as [string, string]),
    );
    const tool = findTool(this.#name, tools, this.#target.application, { ...input, ...early });
    if (tool !== undefined) return this.#callTool(client, tool, input);
    const primitives = await listPrimitives(client, signal);
    const other = findOther(this.#name, primitives);
    if (other === undefined) throw unknownName(this.#name, tools, namesOfPrimitives(primitives));
    if (other.kind === 'prompt') return this.#getPrompt(client, input);
    if (other.kind === 'template') throw needsUri(this.#name, other.uriTemplate);
    return this.#readResource(client, other.uri);
  }

  /** Cancels the call at the server. */
  async interrupt(signal: 'SIGINT' | 'SIGTERM'): Promise<ExitCode> {
    this.#cancel();
    this.#progress?.end();
    await this.#ended.catch(() => undefined);
    this.#terminal.say('Cancelled.');
    return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  }

  #cancel(): void {
    this.isInterrupted = true;
    this.#abort.abort(new Error('The call was cancelled at the terminal'));
  }

  async #connect(): Promise<McpClient> {
    const answers = await createAnswers(this.#options.answer, this.#terminal, {
      fail: (error) => {
        this.#abort.abort(error);
      },
      interrupt: () => {
        // Before the question is answered, so that the server sees a call that was cancelled
        this.#cancel();
        this.#end();
      },
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

  async #callTool(client: McpClient, found: FoundTool, input: PlainObject): Promise<ExitCode> {
    const args = applyKeyValues({ ...input, ...found.args }, this.#pairs, found.schema);
    if (this.#options.dryRun === true) return this.#show('tools/call', { name: found.name, arguments: args });
    const { actionVersion } = this.#options;
    const version = actionVersion === undefined ? {} : { version: actionVersion };
    const call = (given: PlainObject): Promise<CallToolResult> =>
      this.#during(found.name, (sent) => client.callTool(found.name, given, { ...sent, ...version }));
    const first = await call(args);
    const confirmation = await this.#confirmationOf(first);
    const result = confirmation === undefined ? first : await call({ ...args, confirmation });
    if (this.isInterrupted) return EXIT.interrupted;
    const text = toolResultText(result);
    if (result.isError !== true) return this.#answer(result, text, blobsIn(result.content));
    this.#terminal.give(result, () => this.#terminal.prose(text));
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
    const blobs = blobsIn(result.messages.map(({ content }) => content));
    return this.#answer(result, promptText(result), blobs);
  }

  async #readResource(client: McpClient, uri: string): Promise<ExitCode> {
    if (this.#options.dryRun === true) return this.#show('resources/read', { uri });
    const result = await this.#during(this.#name, (sent) => client.readResource(uri, sent));
    return this.#answer(result, resourceText(result), resourceBlobs(result.contents));
  }

  /** Shows what came back, or saves it. */
  #answer(result: unknown, text: string, blobs: readonly Blob[]): ExitCode {
    const { out } = this.#options;
    // A text that is in the file is not shown as well
    const isShown = out === undefined || blobs.length > 0 || this.#terminal.isJson;
    if (isShown) this.#terminal.give(result, () => this.#terminal.prose(text));
    if (text === '') this.#terminal.say('The answer has no content.');
    for (const { path, mimeType, bytes } of out === undefined ? [] : saveAnswer(out, blobs, text))
      this.#terminal.say(`Wrote ${path}: ${mimeType}, ${String(bytes)} bytes.`);
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

function needsUri(name: string, uriTemplate: string): CliError {
  return new CliError('TW_CLI_NAME', {
    where: name,
    what: 'is a template of resources, which is read by a URI.',
    fix: `${visibleLine(uriTemplate)}, with a value in place of each variable`,
  });
}
