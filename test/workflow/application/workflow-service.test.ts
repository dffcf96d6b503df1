import { describe, expect, test } from '@jest/globals';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import { WorkflowService } from '../../../src/workflow/application/workflow-service.ts';
import { InMemoryWorkflowStorage } from '../../../src/workflow/storage/in-memory-workflow-storage.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { invalidDocumentOf } from '../storage/documents.ts';
import { refusal } from '../../support/workflow-refusal.ts';
import { releaseWorkflow } from './release-workflow.ts';

const storage = new InMemoryWorkflowStorage([releaseWorkflow, invalidDocumentOf('empty')]);
const service = new WorkflowService({ storage, logger: new MemoryLogger() });

describe('the use cases', () => {
  test('list what the storage has', async () => {
    const { workflows } = await service.listWorkflows();
    expect(workflows.map(({ id }) => id)).toEqual(['empty', 'release']);
  });

  test('give the whole workflow, as it is written', async () => {
    expect(await service.getWorkflow({ workflowId: 'release' })).toEqual(releaseWorkflow);
  });

  test('give the first step, with role and guidance in the prompt', async () => {
    expect(await service.getNextStep({ workflowId: 'release' })).toEqual({
      step: releaseWorkflow.steps[0],
      guidance: {
        prompt:
          '## Agent Role Instructions\nYou are a release manager\n\n## Step Guidance\n- Ask first\n\nPlan it.',
      },
      isComplete: false,
    });
  });

  test('go on from what is completed, with the context', async () => {
    const workflowId = 'release';
    const next = async (
      completedSteps: readonly string[] | null,
      context = {},
    ): Promise<string | undefined> =>
      (await service.getNextStep({ workflowId, completedSteps, context })).step?.id;
    expect(await next(null)).toBe('plan');
    expect(await next(['nope', 'nope'])).toBe('plan');
    expect(await next(['plan'])).toBe('publish');
    expect(await next(['plan'], { large: true })).toBe('review');
    const done = await service.getNextStep({ workflowId, completedSteps: ['publish', 'plan'] });
    expect(done).toEqual({
      step: null,
      guidance: { prompt: 'All steps of this workflow are complete.' },
      isComplete: true,
    });
  });

  test('check an output by the criteria of its step, with the context', async () => {
    const judge = (output: string, context = {}): ReturnType<WorkflowService['validateStepOutput']> =>
      service.validateStepOutput({ workflowId: 'release', stepId: 'plan', output, context });
    expect((await judge('the plan')).valid).toBe(true);
    expect((await judge('nothing')).issues).toEqual(['name the plan']);
    expect((await judge('the plan', { strict: true })).issues).toEqual(['too short']);
  });

  test('check documents, whatever they are', async () => {
    expect((await service.validateWorkflowJson(JSON.stringify(releaseWorkflow))).valid).toBe(true);
    for (const [json, code] of [
      [undefined, 'CONTENT_REQUIRED'],
      [null, 'CONTENT_REQUIRED'],
      [' ', 'CONTENT_EMPTY'],
      ['{', 'INVALID_JSON'],
    ] as const) {
      expect((await service.validateWorkflowJson(json)).details[0]?.code).toBe(code);
    }
  });

  test('report what is missing, and what is not valid', async () => {
    const missing = await refusal(service.getWorkflow({ workflowId: 'missing' }));
    expect([missing.code, missing.details]).toEqual(['WORKFLOW_NOT_FOUND', { workflowId: 'missing' }]);
    const request = { workflowId: 'release', stepId: 'nope', output: 'x' };
    const step = await refusal(service.validateStepOutput(request));
    expect([step.code, step.details]).toEqual(['STEP_NOT_FOUND', { stepId: 'nope', workflowId: 'release' }]);
    expect((await refusal(service.getWorkflow({ workflowId: 'empty' }))).code).toBe('INVALID_WORKFLOW');
  });

  test('check a document once, and again when it changes', async () => {
    let reads = 0;
    const changing: WorkflowStorage = {
      loadAll: () => storage.loadAll(),
      listSummaries: () => storage.listSummaries(),
      getById: async () => {
        reads += 1;
        return reads < 3 ? structuredClone(releaseWorkflow) : invalidDocumentOf('release');
      },
    };
    const own = new WorkflowService({ storage: changing, logger: new MemoryLogger() });
    const first = await own.getNextStep({ workflowId: 'release' });
    const second = await own.getNextStep({ workflowId: 'release' });
    // The very same frozen step: the document was not loaded again
    expect(second.step).toBe(first.step);
    expect((await refusal(own.getNextStep({ workflowId: 'release' }))).code).toBe('INVALID_WORKFLOW');
  });
});

describe('requests', () => {
  const faultsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
    const { code, details } = await refusal(promise);
    expect(code).toBe('INVALID_PARAMS');
    return (details.details as { path: string; message: string }[]).map(
      ({ path, message }) => `${path} ${message}`,
    );
  };

  test('are refused with every fault', async () => {
    const request = {
      'a/b': 1,
      workflowId: 'no spaces',
      completedSteps: ['a', 1, null],
      context: [],
    } as unknown as Parameters<WorkflowService['getNextStep']>[0];
    expect(await faultsOf(service.getNextStep(request))).toEqual([
      '/a~1b is not known',
      '/workflowId must be a text of 1 to 64 letters, digits, "_" or "-"',
      '/completedSteps/1 must be a text',
      '/completedSteps/2 must be a text',
      '/context must be an object',
    ]);
    const empty = {} as Parameters<WorkflowService['validateStepOutput']>[0];
    expect(await faultsOf(service.validateStepOutput(empty))).toEqual([
      '/workflowId is required',
      '/stepId is required',
      '/output is required',
    ]);
  });

  test('may not have __proto__ as a member', async () => {
    const request = JSON.parse('{"workflowId":"release","__proto__":{}}') as { workflowId: string };
    expect(await faultsOf(service.getWorkflow(request))).toEqual(['/__proto__ is not known']);
  });

  test('may have an output of 10 000 characters, of any plane', async () => {
    const judge = (output: string): Promise<unknown> =>
      service.validateStepOutput({ workflowId: 'release', stepId: 'publish', output });
    expect(await judge('x'.repeat(10_000))).toMatchObject({ valid: true });
    expect(await judge('😀'.repeat(10_000))).toMatchObject({ valid: true });
    for (const output of ['x'.repeat(10_001), '😀'.repeat(10_001)]) {
      expect(await faultsOf(judge(output))).toEqual(['/output must have at most 10000 characters']);
    }
  });

  test('with very many faults name a hundred, and how many more', async () => {
    const completedSteps = Array.from({ length: 1000 }, () => 1) as unknown as string[];
    const faults = await faultsOf(service.getNextStep({ workflowId: 'release', completedSteps }));
    expect(faults.length).toBe(101);
    expect(faults.at(-1)).toBe(' has 900 more faults');
  });
});

describe('what is reported about calls', () => {
  test('is one record and one span for each', async () => {
    const logger = new MemoryLogger();
    const spans: string[] = [];
    let now = 0;
    const watched = new WorkflowService({
      storage,
      logger,
      clock: () => (now += 5),
      tracer: {
        startSpan: (name, attributes) => ({
          end: (error) => {
            spans.push(`${name} ${JSON.stringify(attributes)} ${error instanceof Error ? 'failed' : 'done'}`);
          },
        }),
      },
    });
    await watched.getWorkflow({ workflowId: 'release' });
    await refusal(watched.validateStepOutput({ workflowId: 'release', stepId: 'nope', output: 'my words' }));
    expect(spans).toEqual([
      'workflow.get {"workflowId":"release"} done',
      'workflow.validate {"workflowId":"release","stepId":"nope"} failed',
    ]);
    expect(logger.records).toEqual([
      {
        level: 'debug',
        event: 'workflow.served',
        message: 'get was answered.',
        operation: 'get',
        workflowId: 'release',
        durationMs: 5,
      },
      expect.objectContaining({ level: 'info', event: 'workflow.refused', code: 'STEP_NOT_FOUND' }),
    ]);
    expect(JSON.stringify(logger.records)).not.toContain('my words');
  });

  test('includes unexpected errors', async () => {
    const logger = new MemoryLogger();
    const error = new TypeError('broken');
    const fail = (): Promise<never> => Promise.reject(error);
    const broken = { loadAll: fail, getById: fail, listSummaries: fail };
    const watched = new WorkflowService({ storage: broken, logger });
    await expect(watched.listWorkflows()).rejects.toBe(error);
    expect(logger.records).toEqual([
      expect.objectContaining({ level: 'error', event: 'workflow.failed', error }),
    ]);
  });

  test('cannot disturb them', async () => {
    const fail = (): never => {
      throw new Error('no disk');
    };
    const logger = new MemoryLogger();
    logger.log = fail;
    for (const tracer of [{ startSpan: fail }, { startSpan: () => ({ end: fail }) }]) {
      const watched = new WorkflowService({ storage, logger, tracer });
      expect((await watched.listWorkflows()).workflows.length).toBe(2);
      expect((await refusal(watched.getWorkflow({ workflowId: 'missing' }))).code).toBe('WORKFLOW_NOT_FOUND');
    }
  });
});
