import { IsString, MinLength } from 'class-validator';
import { Action, Destructive, Field, McpApplication, Module, ReadOnly, ToolGroup } from 'toolwright';

class Note {
  @IsString() @MinLength(1) @Field('What to remember') text!: string;
}
@ToolGroup({ name: 'notes', description: 'Keep short notes' })
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
class AppModule {}

const app = await McpApplication.create(AppModule, { name: 'notes', version: '1.0.0' });
if (process.argv.includes('--stdio')) await app.stdio();
else console.log('notes at', (await app.listen(Number(process.env['PORT'] ?? 3000))).url);
