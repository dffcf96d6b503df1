import { ToolGroup } from 'toolwright';
import { Workspace } from './inputs.ts';

/** The root of the tree: the tool itself. Its actions are in the groups below it. */
@ToolGroup({
  name: 'board',
  title: 'Task board',
  description: 'Work with the tasks of a workspace',
  common: Workspace,
})
export class BoardController {}
