import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, MaxLength, Min, MinLength, ValidateNested } from 'class-validator';
import { Action, Destructive, Field, Module, OpenWorld, ReadOnly, ToolError, ToolGroup } from 'toolwright';
import { View } from 'toolwright/apps';

export const COLUMNS = ['open', 'doing', 'done'] as const;
export type Column = (typeof COLUMNS)[number];

export class Task {
  @IsInt() readonly id!: number;
  @IsString() readonly title!: string;
  @IsIn(COLUMNS) readonly column!: Column;
}

class NewTask {
  @IsString() @MinLength(1) @MaxLength(80) @Field('What to do') title!: string;
}

class Move {
  @IsInt() @Min(1) @Field('The number of the task') id!: number;
  @IsIn(COLUMNS) @Field('Where it goes') to!: Column;
}

export class TaskId {
  @IsInt() @Min(1) @Field('The number of the task') id!: number;
}

/** What the page gets as `structuredContent`. */
export class Board {
  @ValidateNested({ each: true }) @Type(() => Task) readonly tasks!: readonly Task[];
}

const BOARD = 'ui://board/tasks';

/** Tasks in three columns. Hosts with views show them as a board, whose buttons call the other actions. */
@ToolGroup({ name: 'board', description: 'Keep tasks in columns: open, doing, done' })
@OpenWorld(false)
export class BoardController {
  #tasks: readonly Task[] = [
    { id: 1, title: 'Write the invitation', column: 'open' },
    { id: 2, title: 'Book a room', column: 'doing' },
  ];
  #nextId = 3;

  @Action({ description: 'Show the board with all tasks', output: Board })
  @ReadOnly()
  @View(BOARD, { file: new URL('board.html', import.meta.url), title: 'The board', prefersBorder: true })
  show(): Board {
    return { tasks: this.#tasks };
  }

  @Action({ description: 'Add a task', output: Board })
  @View(BOARD)
  add({ title }: NewTask): Board {
    this.#tasks = [...this.#tasks, { id: this.#nextId++, title, column: 'open' }];
    return this.show();
  }

  /** A tool of its own as well, because the board calls it by its name. */
  @Action({ description: 'Move a task to another column', output: Board })
  @View({ visibility: ['model', 'app'] })
  move({ id, to }: Move): Board {
    this.#require(id);
    this.#tasks = this.#tasks.map((task) => (task.id === id ? { id, title: task.title, column: to } : task));
    return this.show();
  }

  /** Only people remove tasks, by the button of the board. */
  @Action({ description: 'Remove a task', output: Board })
  @Destructive()
  @View({ visibility: ['app'] })
  remove({ id }: TaskId): Board {
    this.#require(id);
    this.#tasks = this.#tasks.filter((task) => task.id !== id);
    return this.show();
  }

  #require(id: number): void {
    if (!this.#tasks.some((task) => task.id === id))
      throw new ToolError('NO_SUCH_TASK', `There is no task ${id}`);
  }
}

@Module({ controllers: [BoardController] })
export class BoardModule {}
