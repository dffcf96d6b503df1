import { describe, expect, test } from '@jest/globals';
import { Injectable, McpApplication, type Class } from 'toolwright';
import {
  loadWorkflow,
  Step,
  Workflow,
  WorkflowError,
  WorkflowService,
  type WorkflowDocument,
} from 'toolwright/workflow';
import { documentOfClass } from 'toolwright/workflow/testing';
import { MemoryLogger } from '../../support/fake-application.ts';
import { applicationWith, ReviewWorkflow } from './workflows.ts';

@Injectable()
class Base {
  readonly text = 'from the container';
}

const head = { id: 'any', name: 'Any', description: 'Anything', version: '1.0.0' };

const failureOf = async (type: Class): Promise<WorkflowError> => {
  const starting = McpApplication.create(applicationWith({}, [type]), { logger: new MemoryLogger() });
  const error: unknown = await starting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const cause: unknown = error instanceof WorkflowError ? error : (error as Error | undefined)?.cause;
  if (!(cause instanceof WorkflowError)) throw new Error('It started, or failed otherwise', { cause: error });
  return cause;
};

describe('a workflow as a class', () => {
  test('is the same document as the same JSON, with the same hash', () => {
    const written: WorkflowDocument = {
      steps: [
        { title: 'Read', id: 'read', prompt: 'Read the text.' },
        {
          type: 'loop',
          id: 'check-all',
          title: 'Check each part',
          body: [{ id: 'check', title: 'Check', prompt: 'Check this part.' }],
          loop: { type: 'forEach', items: 'parts', maxIterations: 10, itemVar: 'part' },
        },
      ],
      version: '2.0.0',
      description: 'Reviews a text',
      name: 'Review',
      id: 'review',
    };
    const document = documentOfClass(ReviewWorkflow, new ReviewWorkflow());
    expect(document).toEqual(written);
    expect(loadWorkflow(document).hash).toBe(loadWorkflow(JSON.stringify(written)).hash);
  });

  test('gets what its constructor asks for, and wins over a document of the same id', async () => {
    @Injectable()
    @Workflow({ ...head, id: 'release' })
    class Dependent {
      constructor(private readonly base: Base) {}
      @Step({ id: 'only', title: 'Only' }) only(): string {
        return this.base.text;
      }
    }
    const app = await McpApplication.create(applicationWith({}, [Dependent], [Base]));
    const { steps } = await app.get(WorkflowService).getWorkflow({ workflowId: 'release' });
    expect(steps).toEqual([{ id: 'only', title: 'Only', prompt: 'from the container' }]);
    await app.close();
  });

  test('inherits the steps of its base class, which come first', () => {
    @Workflow(head)
    class Derived extends ReviewWorkflow {
      @Step({ id: 'last', title: 'Last' }) last(): string {
        return 'The last one.';
      }
    }
    const document = documentOfClass(Derived, new Derived());
    expect([document.id, document.steps.map(({ id }) => id)]).toEqual(['any', ['read', 'check-all', 'last']]);
  });
});

describe('a class that is not a workflow fails the start', () => {
  test.each<[string, Class, string]>([
    ['without @Workflow', class Plain {}, 'Plain has no @Workflow.'],
    ['without steps', Empty(), 'Empty has no steps.'],
    ['with a step that returns no text', Silent(), 'Silent.silent() returns nothing in place of its prompt.'],
    ['with a step that returns a promise', Late(), 'Late.late() returns a promise in place of its prompt.'],
    ['with a loop that returns a prompt', Talking(), 'Talking.talk() is a loop, but returns a prompt.'],
  ])('%s', async (_name, type, message) => {
    const { code, message: told, suggestions } = await failureOf(type);
    expect([code, told]).toEqual(['TW_WORKFLOW_CLASS', message]);
    expect(suggestions).toHaveLength(1);
  });

  test('with every fault of its document at once', async () => {
    @Workflow({ ...head, id: 'Wrong Id', version: 'v1' })
    class Wrong {
      @Step({ id: 'a', title: '' }) a(): string {
        return 'x';
      }
    }
    const error = await failureOf(Wrong);
    expect(error.code).toBe('INVALID_WORKFLOW');
    expect(JSON.stringify(error.details)).toMatch(/\/id.*\/version.*\/steps\/0/);
  });

  test('with the id of another class', async () => {
    @Workflow(head)
    class First {
      @Step({ id: 'one', title: 'One' }) one(): string {
        return 'One.';
      }
    }
    @Workflow(head)
    class Second extends First {}
    const starting = McpApplication.create(applicationWith({}, [First, Second]));
    await expect(starting).rejects.toThrow('Second and First are both the workflow "any".');
  });
});

function Empty(): Class {
  @Workflow(head)
  class Empty {}
  return Empty;
}

function Silent(): Class {
  @Workflow(head)
  class Silent {
    @Step({ id: 'silent', title: 'Silent' }) silent(): void {
      // It says nothing.
    }
  }
  return Silent;
}

function Late(): Class {
  @Workflow(head)
  class Late {
    @Step({ id: 'late', title: 'Late' }) async late(): Promise<string> {
      return Promise.resolve('too late');
    }
  }
  return Late;
}

function Talking(): Class {
  @Workflow(head)
  class Talking {
    @Step({
      id: 'talk',
      type: 'loop',
      title: 'Talk',
      loop: { type: 'for', count: 1, maxIterations: 1 },
      body: [{ id: 'word', title: 'Word', prompt: 'Say a word.' }],
    })
    talk(): string {
      return 'x';
    }
  }
  return Talking;
}
