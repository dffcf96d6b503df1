import { IsString, MinLength } from 'class-validator';
import { Action, Destructive, Field, Module, OpenWorld, ReadOnly, ToolGroup } from 'toolwright';

class Note {
  @IsString() @MinLength(1) @Field('What to remember') text!: string;
}

@ToolGroup({ name: 'notes', description: 'Keep short notes' })
@OpenWorld(false)
class NotesController {
  private readonly notes: string[] = [];

  @Action('List all notes') @ReadOnly() list() {
    return this.notes;
  }
  @Action('Write a note down') add({ text }: Note) {
    return `Note ${this.notes.push(text)} is kept`;
  }
  @Action('Forget every note') @Destructive() clear() {
    this.notes.length = 0;
  }
}

@Module({ controllers: [NotesController] })
export class NotesModule {}
