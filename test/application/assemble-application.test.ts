import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, ApplicationError, McpApplication, Module, ToolGroup, type Class } from 'toolwright';

/** An application with one action for each of the inputs. */
function createApplication(inputs: readonly Class[]): Promise<McpApplication> {
  @ToolGroup('notes')
  class NoteTools {}
  for (const [index, input] of inputs.entries()) {
    const member = `action${String(index)}`;
    const descriptor = { value: () => 'done', configurable: true, writable: true };
    Object.defineProperty(NoteTools.prototype, member, descriptor);
    Action({ description: 'Notes', input })(NoteTools.prototype, member, descriptor);
  }
  @Module({ controllers: [NoteTools] })
  class NoteModule {}
  return McpApplication.create(NoteModule);
}

test('makes an input twice: to see that it can be made, and to read what its fields begin with', async () => {
  let made = 0;
  class Note {
    @IsString() title!: string;

    constructor() {
      made += 1;
    }
  }
  await createApplication([Note]);
  expect(made).toBe(2);
});

test('reports an input that is broken once, and nothing that only follows from it', async () => {
  class Bare {
    title!: string;
  }
  class Note {
    @IsString() title!: string;
  }
  const error: unknown = await createApplication([Bare, Note]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApplicationError);
  const { problems } = error as ApplicationError;
  expect(problems.map(({ code, where }) => [code, where])).toEqual([['TW_SHAPE_UNDECORATED', 'Bare']]);
});
