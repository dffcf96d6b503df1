import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  ValidationPipe,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString, MinLength } from 'class-validator';

export interface Note {
  readonly id: number;
  readonly text: string;
}

export class NewNote {
  @IsString() @MinLength(1) text!: string;
}

/** Keeps notes in memory. */
@Injectable()
export class NoteStore {
  private readonly notes = new Map<number, Note>();
  private nextId = 1;

  list(): readonly Note[] {
    return [...this.notes.values()];
  }

  add(text: string): Note {
    const note = { id: this.nextId++, text };
    this.notes.set(note.id, note);
    return note;
  }

  remove(id: number): boolean {
    return this.notes.delete(id);
  }
}

/** Routes of REST, which know nothing of MCP. */
@Controller('notes')
export class NotesController {
  constructor(private readonly store: NoteStore) {}

  @Get()
  list(): readonly Note[] {
    return this.store.list();
  }

  @Post()
  add(@Body() { text }: NewNote): Note {
    return this.store.add(text);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) id: number): void {
    if (!this.store.remove(id)) throw new NotFoundException(`There is no note ${id}`);
  }
}

@Module({ controllers: [NotesController], providers: [NoteStore] })
export class AppModule {}

/** The application with its settings, before it listens. */
export async function createNest(): Promise<INestApplication> {
  const nest = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  nest.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
  nest.enableShutdownHooks();
  return nest;
}
