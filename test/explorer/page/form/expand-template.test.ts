import { describe, expect, test } from '@jest/globals';
import { expandTemplate, variablesOf } from '../../../../src/explorer/page/form/expand-template.ts';

const VALUES = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  empty: '',
  x: '1024',
  y: '768',
  half: '50%',
};

describe('a template', () => {
  // RFC 6570, sections 1.2 and 3.2
  test.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{var:3}', 'val'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['{+half}', '50%25'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['tasks://{var*}', 'tasks://value'],
  ])('expands %s to %s', (template, uri) => {
    expect(expandTemplate(template, VALUES)).toBe(uri);
  });

  test('names its variables, each once', () => {
    expect(variablesOf('tasks://{board}/{task:3}{?board,page*}')).toEqual(['board', 'task', 'page']);
  });
});
