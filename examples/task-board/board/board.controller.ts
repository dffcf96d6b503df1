import { Middleware, ToolGroup } from 'toolwright';
import { Transactional } from '../storage/transactional.ts';
import { Workspace } from './workspace.ts';

/** The root of the tree is the tool. What it says holds for the groups below it, which have the actions. */
@ToolGroup({
  name: 'board',
  title: 'Task board',
  description: 'Work with the tasks of a workspace',
  common: Workspace,
})
@Middleware(Transactional)
export class BoardController {}
