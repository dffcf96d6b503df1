import { expect, test } from '@jest/globals';
import * as toolwright from 'toolwright';
import * as testing from 'toolwright/testing';

/** A name that is missing here was added by accident, or on purpose and without deciding it. */
const TOOLWRIGHT = [
  'Action',
  'ApplicationError',
  'createContextKey',
  'createDecorator',
  'createTool',
  'Ctx',
  'Destructive',
  'error',
  'ERROR_META_KEY',
  'Field',
  'GroupedToolBuilder',
  'Idempotent',
  'Inject',
  'Injectable',
  'Input',
  'Logger',
  'McpApplication',
  'Middleware',
  'Module',
  'OpenWorld',
  'ReadOnly',
  'required',
  'StderrLogger',
  'success',
  'ToolContext',
  'toolContextOf',
  'ToolError',
  'toolError',
  'ToolGroup',
  'ToolRegistry',
  'ToolwrightError',
  'toonSuccess',
];

test('toolwright exports exactly these names', () => {
  expect(Object.keys(toolwright).sort()).toEqual([...TOOLWRIGHT].sort());
});

test('toolwright/testing exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toEqual([
    'FakeToolContext',
    'TestApplication',
    'createTestApplication',
  ]);
});
