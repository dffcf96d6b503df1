/** Requests below the default limits that are meant to take long. */

/** Just below `limits.argumentNodes`. */
const MAX_VALUES = 9_950;
/** Just below `bodyLimit`. */
const MAX_BYTES = 4_150_000;

export interface HostileInput {
  readonly name: string;
  readonly method: string;
  readonly params: string;
  /** What goes into the header `Mcp-Name`. */
  readonly target: string;
}

const call = (tool: string, args: string, what: string): HostileInput => ({
  name: `${tool}: ${what}`,
  method: 'tools/call',
  params: `"name":${JSON.stringify(tool)},"arguments":${args}`,
  target: tool,
});
const repeat = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(',');
const list = (count: number, item: (index: number) => string): string => `[${repeat(count, item)}]`;
const members = (count: number, item: (index: number) => string = () => '1', name = 'n'): string =>
  `{${repeat(count, (index) => `"${name}${String(index)}":${item(index)}`)}}`;
const deep = (open: string, levels: number, inner: string, close: string): string =>
  `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
/** As many texts as are allowed, which fill the body together. */
const longTexts = (piece: string, end = '!'): string => {
  const length = MAX_BYTES / MAX_VALUES - 4 - end.length;
  const text = JSON.stringify(`${piece.repeat(length / piece.length)}${end}`);
  return list(MAX_VALUES, () => text);
};
const longText = (piece: string, end = '!'): string =>
  `"${piece.repeat(MAX_BYTES / piece.length - 1)}${end}"`;
const long = (method: string, params: string, what: string, target = 'x'): HostileInput => ({
  name: `${method.slice(0, 30)}: ${what}`,
  method,
  params,
  target,
});
const items = (tool: string, value: string, what: string): HostileInput =>
  call(`${tool}_run`, `{"items":${value}}`, what);
const own = (action: string, field: string, value: string, what: string): HostileInput =>
  call(`own_${action}`, `{"${field}":${value}}`, what);
const LAST = list(MAX_VALUES, () => '"value-9999"');
const WRONG = list(MAX_VALUES, (index) => `"w${String(index)}"`);

export function* hostileInputs(): Generator<HostileInput> {
  yield* choices();
  yield* nestedObjects();
  yield* formats();
  yield* manyMembers();
  yield* unions();
  yield* listsAndNumbers();
  yield* ownTools();
  yield* otherMethods();
  yield* restOfRequests();
}

function* choices(): Generator<HostileInput> {
  for (const tool of [
    'dto-in',
    'dto-not-in',
    'dto-enum',
    'json-enum',
    'zod-enum',
    'dto-contains',
    'json-contains',
  ]) {
    yield items(tool, LAST, 'the last allowed value, often');
    yield items(tool, WRONG, 'wrong texts');
    yield items(tool, longTexts('a'), 'long wrong texts');
  }
}

function* nestedObjects(): Generator<HostileInput> {
  yield items(
    'dto-unique',
    list(MAX_VALUES, (index) => String(index)),
    'numbers',
  );
  yield items(
    'dto-unique',
    list(MAX_VALUES / 2, (index) => `{"a":${String(index)}}`),
    'objects',
  );
  for (const count of [8, 9]) {
    const at = (level: number): string =>
      level === 0 ? list(count, () => '"long"') : list(count, () => `{"items":${at(level - 1)}}`);
    yield items('dto-nested', at(3), `${String(count)} of ${String(count)} of …`);
  }
  yield items(
    'dto-leaves',
    list(MAX_VALUES / 2, () => '{"id":1}'),
    'wrong leaves',
  );
  yield items(
    'dto-leaves',
    list(MAX_VALUES / 2, () => '{"id":"a"}'),
    'right leaves',
  );
  yield items(
    'dto-leaves',
    list(MAX_VALUES, () => '{}'),
    'empty objects',
  );
  yield items(
    'dto-leaves',
    list(MAX_VALUES, () => '[]'),
    'empty lists',
  );
  yield items('dto-leaves', `[${members(MAX_VALUES)}]`, 'unknown fields');
  yield items(
    'dto-leaves',
    list(MAX_VALUES / 11, () => members(10)),
    'few unknown fields, often',
  );
}

function* formats(): Generator<HostileInput> {
  for (const [tool, piece, end] of [
    ['dto-email', 'a.', '@example.com'],
    ['dto-email', 'a@', ''],
    ['dto-url', 'a.', '.com'],
    ['dto-url', 'a:a@', ''],
    ['dto-uuid', 'a', ''],
    ['dto-date', '2020-01-01T00:00:00.', 'Z'],
    ['dto-date', '0', ''],
    ['dto-iso', '2020-W', ''],
    ['dto-phone', '0', ''],
    ['dto-phone', '+4', ''],
    ['dto-matches', 'aa ', '!'],
    ['json-pattern', 'aa ', '!'],
    ['json-format', '0', 'Z'],
    ['zod-email', 'a.', '@example.com'],
    ['zod-uuid', 'a', ''],
    ['zod-date', '0', 'Z'],
    ['zod-texts', 'a', ''],
  ] as const) {
    yield items(tool, longTexts(piece, end), `long texts of "${piece}"`);
    yield items(tool, `[${longText(piece, end)}]`, `a very long text of "${piece}"`);
    yield items(
      tool,
      list(MAX_VALUES, () => `"${piece}${end}"`),
      `short texts of "${piece}"`,
    );
    yield items(
      tool,
      list(MAX_VALUES, () => '1'),
      'numbers',
    );
  }
}

function* manyMembers(): Generator<HostileInput> {
  for (const tool of [
    'dto-object',
    'dto-set',
    'dto-map',
    'json-closed',
    'json-unevaluated',
    'json-names',
    'json-names-enum',
    'json-dependent',
    'json-pattern-names',
    'zod-record',
    'zod-strict',
  ]) {
    yield items(tool, members(MAX_VALUES), 'members');
    yield items(
      tool,
      members(MAX_VALUES, () => '1', 'a'.repeat(400)),
      'members with long names',
    );
    yield items(
      tool,
      members(MAX_VALUES, () => '"a"', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'),
      'members with bad names',
    );
  }
  yield items(
    'dto-secrets',
    list(MAX_VALUES / 2, (index) => `{"pin":"too long for it ${String(index)}"}`),
    'wrong secrets',
  );
  yield items('dto-secrets', `{"pin":${WRONG}}`, 'an object for a list');
}

function* unions(): Generator<HostileInput> {
  for (const tool of ['json-one-of', 'json-one-of-objects', 'json-any-of-objects', 'json-if', 'zod-union']) {
    yield items(
      tool,
      list(MAX_VALUES, () => '"c49"'),
      'texts',
    );
    yield items(
      tool,
      list(MAX_VALUES / 2, () => '{"f49":"x"}'),
      'the last branch',
    );
    yield items(
      tool,
      list(MAX_VALUES, () => '{}'),
      'no branch',
    );
    yield items(
      tool,
      list(MAX_VALUES / 51, () => `{${repeat(50, (index) => `"f${String(index)}":"x"`)}}`),
      'all branches',
    );
    yield items(
      tool,
      list(MAX_VALUES / 2, (index) => `{"kind":${String(index % 50)}}`),
      'kinds',
    );
  }
  for (const tool of ['json-one-of-tree', 'json-any-of-tree']) {
    for (const levels of [15, 20, 40]) {
      yield items(tool, deep('{"a":', levels, '{}', '}'), `${String(levels)} levels`);
      yield items(tool, deep('{"a":', levels, '1', '}'), `${String(levels)} levels, wrong`);
    }
  }
  for (const tool of [
    'json-tagged-tree',
    'json-any-tagged-tree',
    'json-if-tree',
    'json-all-of-tree',
    'zod-tree',
    'zod-tagged-tree',
  ]) {
    for (const levels of [15, 40]) {
      yield items(tool, deep('{"op":"b","a":', levels, '{"op":"c"}', '}'), `${String(levels)} levels`);
      yield items(tool, deep('{"op":"b","a":', levels, '1', '}'), `${String(levels)} levels, wrong`);
    }
  }
}

function* listsAndNumbers(): Generator<HostileInput> {
  yield items(
    'json-unique',
    list(MAX_VALUES, (index) => `"t${String(index)}"`),
    'texts',
  );
  yield items(
    'json-unique',
    list(MAX_VALUES / 2, (index) => `{"a":${String(index)}}`),
    'objects',
  );
  yield items(
    'json-unique',
    list(MAX_VALUES / 2, (index) => `[${String(index)}]`),
    'lists',
  );
  yield items(
    'json-unique',
    list(MAX_VALUES / 100, (index) => `{${repeat(98, (at) => `"k${String(at)}":1`)},"z":${String(index)}}`),
    'large objects that differ late',
  );
  yield items(
    'json-unique',
    list(MAX_VALUES / 2, (index) => `{"${'a'.repeat(350)}${String(index)}":1}`),
    'objects with long names',
  );
  yield items(
    'json-unique',
    list(MAX_VALUES / 2, (index) => (index % 2 ? `{"a":${String(index)}}` : `[${String(index)}]`)),
    'objects and lists',
  );
  yield items(
    'json-multiple',
    list(MAX_VALUES, (index) => `1e${String(index % 300)}`),
    'big numbers',
  );
  yield items('json-multiple', `[${'9'.repeat(MAX_BYTES)}]`, 'a number of millions of digits');
  yield items(
    'json-multiple',
    list(MAX_VALUES, () => '9'.repeat(400)),
    'long numbers',
  );
  yield items(
    'json-unevaluated-items',
    list(MAX_VALUES, () => '1'),
    'numbers',
  );
  yield items(
    'json-tuple',
    list(MAX_VALUES, () => '1'),
    'numbers',
  );
  yield items('zod-tuple', WRONG, 'texts');
  yield items('zod-texts', WRONG, 'wrong texts');
}

function* ownTools(): Generator<HostileInput> {
  for (const action of ['echo', 'once', 'twice', 'logs', 'later', 'breaks', 'throws']) {
    const field = action === 'throws' ? 'items' : 'data';
    if (action !== 'throws' && action !== 'breaks') {
      yield own(action, 'data', members(MAX_VALUES), 'members');
      yield own(
        action,
        'data',
        members(MAX_VALUES, () => '1', 'a'.repeat(400)),
        'members with long names',
      );
      yield own(
        action,
        'data',
        `{"a":${deep('{"a":', 100, members(MAX_VALUES - 200), '}')}}`,
        'members below 100 objects',
      );
      yield own(
        action,
        'data',
        `{"a":${deep(`{"${'k'.repeat(20_000)}":`, 100, members(MAX_VALUES - 200), '}')}}`,
        'members below 100 long names',
      );
      yield own(action, 'data', `{"a":${deep('{"a":', 4_900, '1', '}')}}`, 'a deep object');
      yield own(action, 'data', `{"a":${deep('[', 9_000, '1', ']')}}`, 'a deep list');
      yield own(action, 'text', longText('a'), 'a very long text');
      yield own(action, 'text', longText('\\u0007', ''), 'a very long text of controls');
      yield own(action, 'text', longText('\\ud83d', ''), 'a very long text of halves');
      yield own(action, 'text', longText('<a href=x>[](http://a)', ''), 'a very long text of markup');
    }
    const key = field === 'data' ? 'list' : field;
    yield own(action, key, WRONG, 'texts');
    yield own(action, key, longTexts('a'), 'long texts');
    yield own(
      action,
      key,
      list(MAX_VALUES, (index) => JSON.stringify(`${String(index)}${'a'.repeat(400)}`)),
      'long texts that differ',
    );
  }
  yield own('throws', 'text', longText('a'), 'a very long text');
  yield own('fails', 'items', WRONG, 'texts');
  yield own(
    'fails',
    'items',
    list(MAX_VALUES, (index) => JSON.stringify(`${String(index)}${'no '.repeat(130)}`)),
    'long texts',
  );
  yield own('fails', 'text', longText('no '), 'a very long text');
  yield call('none', `{"list":${WRONG}}`, 'an unknown tool');
}

function* otherMethods(): Generator<HostileInput> {
  yield long('tools/call', `"name":${longText('own_ech')},"arguments":{}`, 'a long name of a tool');
  yield long(
    'prompts/get',
    `"name":"write","arguments":${members(MAX_VALUES, () => '"a"')}`,
    'members',
    'write',
  );
  yield long('prompts/get', `"name":"write","arguments":{"id":${longText('a')}}`, 'a long text', 'write');
  yield long('prompts/get', `"name":${longText('writ')}`, 'a long name');
  yield long('resources/read', `"uri":${longText('file:///a/%2')}`, 'a long URI');
  yield long('resources/read', `"uri":"file:///a/${'b/'.repeat(MAX_BYTES / 2 - 100)}"`, 'a long path');
  yield long(
    'resources/read',
    `"uri":"file:///a/${'%41'.repeat(MAX_BYTES / 3 - 100)}"`,
    'a long escaped path',
  );
  yield long('resources/read', `"uri":"file:///${'a'.repeat(MAX_BYTES - 100)}"`, 'a long folder');
  const complete = (argument: string, context: string): string =>
    `"ref":{"type":"ref/prompt","name":"write"},"argument":${argument},"context":{"arguments":${context}}`;
  yield long('completion/complete', complete(`{"name":"id","value":${longText('a')}}`, '{}'), 'a long value');
  yield long(
    'completion/complete',
    complete(
      '{"name":"id","value":"a"}',
      members(MAX_VALUES, () => '"a"'),
    ),
    'many values',
  );
  yield long(
    'completion/complete',
    complete(
      '{"name":"id","value":"a"}',
      members(300_000, () => '"a"'),
    ),
    'very many values',
  );
  yield long(
    'prompts/get',
    `"name":"write","arguments":${members(300_000, () => '"a"')}`,
    'very many arguments',
    'write',
  );
  yield long(
    'prompts/get',
    `"name":"write","arguments":{"${'k'.repeat(MAX_BYTES - 200)}":1}`,
    'a long name of an argument',
    'write',
  );
  yield long(
    'tools/call',
    `"name":"own_echo","arguments":{},"${'k'.repeat(MAX_BYTES - 300)}":1`,
    'a long name of a member',
    'own_echo',
  );
}

function* restOfRequests(): Generator<HostileInput> {
  yield long(
    'tools/call',
    `"name":"own_echo","arguments":{},"more":${list(1_900_000, () => '1')}`,
    'many values beside the arguments',
    'own_echo',
  );
  yield long(
    'tools/call',
    `"name":"own_echo","arguments":${list(1_900_000, () => '1')}`,
    'a list of very many values',
    'own_echo',
  );
  yield long(
    'tools/call',
    `"name":"own_echo","arguments":{"data":${members(300_000)}}`,
    'very many members',
    'own_echo',
  );
  yield long(
    'tools/call',
    `"name":"own_once","arguments":{"idempotencyKey":${longText('a')}}`,
    'a long key',
    'own_once',
  );
  yield long(
    'tools/call',
    `"name":"own_twice","arguments":{"confirmation":${longText('a')}}`,
    'a long confirmation',
    'own_twice',
  );
  yield long(
    'tools/call',
    `"name":"own_twice","arguments":{"confirmation":${longText('a.')}}`,
    'a confirmation of many parts',
    'own_twice',
  );
  yield long(
    'tools/call',
    `"name":"own_asks","arguments":{},"requestState":${longText('a')}`,
    'a long state',
    'own_asks',
  );
  yield long(
    'tools/call',
    `"name":"own_asks","arguments":{},"inputResponses":${members(200_000, () => '{}')}`,
    'very many answers',
    'own_asks',
  );
  yield long(
    'tools/call',
    `"name":"own_echo","arguments":{},"task":${members(300_000)}`,
    'a large task',
    'own_echo',
  );
  yield long('logging/setLevel', `"level":${longText('a')}`, 'a long level');
  yield long('resources/subscribe', `"uri":${longText('file:///a/')}`, 'a long URI');
  yield long(
    'subscriptions/listen',
    `"notifications":{"resourceSubscriptions":${list(300_000, (index) => `"file:///a/${String(index)}"`).slice(0, MAX_BYTES - 200)}"]}`,
    'many URIs',
  );
  const info = (name: string): string =>
    `"protocolVersion":"2025-06-18","capabilities":${members(200_000)},"clientInfo":{"name":${name},"version":"1"}`;
  yield long('initialize', info('"a"'), 'many capabilities');
  yield long(
    'initialize',
    `"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":${longText('a')},"version":"1"}`,
    'a long name',
  );
  yield long(
    'initialize',
    `"protocolVersion":${longText('2')},"capabilities":{},"clientInfo":{"name":"a","version":"1"}`,
    'a long version',
  );
  yield long('tools/list', `"cursor":${longText('a')}`, 'a long cursor');
  yield long('tasks/get', `"taskId":${longText('a')}`, 'a long id');
  yield long('x'.repeat(100), members(290_000).slice(1, -1), 'an unknown method');
  yield long('tools/list', members(290_000).slice(1, -1), 'members of params');
  yield long('tools/list', `"a":${deep('[', MAX_BYTES / 2 - 10, '', ']')}`, 'a deep list in params');
}
