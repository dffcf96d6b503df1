/**
 * What the examples of the documentation use without declaring it. Nothing here ever runs.
 * Keep it small: a name that one example needs belongs into that example.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { IsInt, IsString } from 'class-validator';
import type { McpApplication, MiddlewareFunction, MiddlewareObject, ToolContext } from 'toolwright';
import type { Group, Resource, ResourceTemplate, Tool } from 'toolwright/model';

export { IsArray, IsBoolean, IsOptional, IsString } from 'class-validator';
export { expect, test } from '@jest/globals';

export class Workspace {
  @IsString() workspaceId!: string;
}
export class CreateTask {
  @IsString() title!: string;
}
export class TaskRef {
  @IsString() id!: string;
}
export class TicketReference {
  @IsInt() ticket!: number;
}
export class NewTicket {
  @IsString() subject!: string;
}
export class Reply extends TicketReference {
  @IsString() text!: string;
}
export class Assignment extends TicketReference {
  @IsString() assignee!: string;
}
export class Customer {
  @IsString() customer!: string;
}
export class Refund extends TicketReference {
  @IsInt() amount!: number;
}
export class FindBooks {
  @IsString() text!: string;
}
export class ReviewFile {
  @IsString() path!: string;
}
export class Query {
  @IsString() text!: string;
}
export class ImportFile {
  @IsString() path!: string;
}

export interface Page {
  readonly uri: string;
  readonly text: string;
}

export class Clock {
  now(): string {
    return new Date().toISOString();
  }
}
export class TicketStore {
  find(tenant: string | undefined, ticket: number): Promise<{ readonly assignee?: string } | undefined> {
    return Promise.resolve(tenant === undefined ? undefined : { assignee: `${tenant} ${ticket}` });
  }
}
export class SystemClock extends Clock {}
export class TaskStore {
  readonly titles: string[] = [];
}
export class PageStore {
  readonly pages = new Map<string, Page>();

  write(page: Page): Promise<void> {
    this.pages.set(page.uri, page);
    return Promise.resolve();
  }
}
export class Database {}
export class Cache {}
export class OwnersOnly implements MiddlewareObject {
  use = (_call: unknown, next: () => Promise<unknown>): Promise<unknown> => next();
}
export class Timing extends OwnersOnly {}
export class TasksController {}
export class ImportController {
  readonly store: TaskStore;
  constructor(store: TaskStore) {
    this.store = store;
  }
  import(file: ImportFile, ctx: ToolContext): Promise<void> {
    return ctx.log(file.path);
  }
}
export class StorageModule {}
export class AppModule {}
export class NotesModule {}
export class TasksModule {}

export const fixedClock = new SystemClock();
export const store = new TaskStore();
export const shelf = { find: (text: string): readonly string[] => [text], clear: (): void => undefined };
export const checkRoles: MiddlewareFunction = (_call, next) => next();

interface User {
  readonly id: string;
  readonly token: string;
  readonly roles: readonly string[];
}
export declare function findUser(token: string): Promise<User | undefined>;
export declare const app: McpApplication;
export declare const server: McpServer;

export declare const root: Group;
export declare const group: Group;
export declare const office: Group;
export declare const tool: Tool;
export declare const resource: Resource;
export declare const template: ResourceTemplate;
