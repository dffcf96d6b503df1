import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { bindApplication, prepareApplication } from '../../../src/compile/compile-application.ts';
import {
  type CompiledHandler,
  type CompileStage,
  type StageSettings,
  compileAttempt,
  type AttemptStages,
} from '../../../src/kernel/call/stage.ts';
import type { Step } from '../../../src/kernel/call/attempt.ts';
import { STAGES } from '../../../src/runtime/stages.ts';
import { createContainer } from '../../../src/container/create-container.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import { scanApplication } from '../../../src/scanner/scan-application.ts';
import { Action, Complete, Injectable, Module, Prompt, Resource, ToolGroup } from 'toolwright';
import { attemptOf } from '../../support/attempt-of.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

class Topic {
  @IsString() topic!: string;
}

@Injectable()
@ToolGroup('notes')
class Notes {
  @Action() add(): string {
    return 'added';
  }
  @Prompt() review({ topic }: Topic): string {
    return topic;
  }
  @Complete('review', 'topic') topics(): string[] {
    return ['stages'];
  }
  @Resource('notes://{topic}', { list: 'all' }) note({ topic }: Topic): string {
    return topic;
  }
  all(): object[] {
    return [];
  }
}

@Module({ controllers: [Notes] })
class NotesModule {}

const logger = new MemoryLogger();

/** The handlers of the application by what they are, bound with some stages. */
async function bind(stages: AttemptStages): Promise<Record<string, CompiledHandler | undefined>> {
  const problems = new ProblemList();
  const options = { name: 'notes', logger, middleware: [], overrides: [], notifier: {} as never };
  const scanned = scanApplication(NotesModule, options, problems);
  const prepared = prepareApplication(scanned, problems);
  problems.throwIfAny('notes');
  const { tools, prompts, resources } = bindApplication(prepared, await createContainer(scanned), {
    features: [],
    stages,
  });
  const [template] = resources;
  return {
    action: tools[0]?.tools[0]?.actions[0],
    prompt: prompts[0],
    completion: prompts[0]?.completers.get('topic'),
    resource: template,
    list: template?.kind === 'template' ? template.list : undefined,
  };
}

function call(handler: CompiledHandler | undefined, args: object): unknown {
  return handler?.attempt(attemptOf({ args, logger }));
}

test('A stage that is added to the list is passed by actions, prompts, resources, completions and lists', async () => {
  const passed: string[] = [];
  const slot: CompileStage =
    (callable, { perCall }) =>
    (next) =>
    (attempt) => {
      passed.push(`${String(callable.middleware.length)} ${String(perCall.length)}`);
      return next(attempt);
    };
  const handlers = await bind({ ...STAGES.attempt, slot });
  const arguments_ = { action: {}, completion: { value: 's', arguments: {} }, list: {} };
  const answers: unknown[] = [];
  for (const [kind, handler] of Object.entries(handlers)) {
    const args: object = kind in arguments_ ? arguments_[kind as 'action'] : { topic: 'a' };
    answers.push(await call(handler, args));
  }
  expect(answers).toEqual(['added', 'a', ['stages'], 'a', []]);
  expect(passed).toEqual(['0 0', '0 0', '0 0', '0 0', '0 0']);
});

test('Stages are entered in the order in which the ring lists them', async () => {
  const places = Object.keys(STAGES.attempt);
  const entered: string[] = [];
  const trace =
    (name: string): CompileStage =>
    () =>
    (next) =>
    (attempt) => {
      entered.push(name);
      return next(attempt);
    };
  const traced = places.map((name) => [name, trace(name)] as const);
  const { action } = await bind(Object.fromEntries(traced) as AttemptStages);
  expect(call(action, {})).toBe('added');
  const behind = [
    ...['permit', 'recall', 'queue', 'confirm', 'claim', 'slot', 'audit', 'begin'],
    ...['scope', 'fit', 'convert'],
  ];
  expect(entered).toEqual(['timeout', 'validate', ...behind]);
});

test('A stage that a callable does not have is not in its way', () => {
  const inner: Step = () => 'done';
  let after: Step | undefined;
  const stages: AttemptStages = {
    timeout: () => (next) => (after = next),
    validate: () => undefined,
    permit: undefined,
    recall: undefined,
    queue: undefined,
    confirm: undefined,
    claim: undefined,
    slot: () => undefined,
    audit: undefined,
    begin: undefined,
    scope: undefined,
    fit: undefined,
    convert: () => () => inner,
  };
  const callable = { middleware: [], metadata: [], requirements: undefined };
  compileAttempt(callable, {} as StageSettings, () => 'never run', stages);
  expect(after).toBe(inner);
});
