import { IsInt, IsString, Min, MinLength } from 'class-validator';
import { Action, Destructive, Field, OpenWorld, ReadOnly, ToolError, ToolGroup } from 'toolwright';
import { NoteStore, type Note } from './note-store.ts';

class NewNote {
  @IsString() @MinLength(1) @Field('What to remember') text!: string;
}

class NoteId {
  @IsInt() @Min(1) @Field('The number of the note') id!: number;
}

/** One tool; its methods are the actions of the tool. */
@ToolGroup({ name: 'notes', description: 'Keep short notes' })
@OpenWorld(false)
export class NotesController {
  constructor(private readonly store: NoteStore) {}

  @Action('List all notes')
  @ReadOnly()
  list(): readonly Note[] {
    return this.store.list();
  }

  @Action('Write a note down')
  add({ text }: NewNote): Note {
    return this.store.add(text);
  }

  @Action('Remove a note')
  @Destructive()
  remove({ id }: NoteId): string {
    if (!this.store.remove(id)) throw new ToolError('NO_SUCH_NOTE', `There is no note ${id}`);
    return `Note ${id} is removed`;
  }
}
