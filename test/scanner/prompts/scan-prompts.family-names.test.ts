import { expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Prompt } from '../../../src/decorators/members.ts';
import { Injectable, ToolGroup } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { moduleWith, problemsOf, scan } from '../../support/scan-helpers.ts';

class Language {
  @IsString() language!: string;
}

const moduleOf = (...controllers: readonly Class[]): Class => moduleWith(controllers, []);

test('a name with a variable and a list make a family', () => {
  @Injectable()
  class Reviews {
    @Prompt({ name: 'review_{language}', list: 'languages' }) review(_input: Language): void {}
    languages(): void {}
  }
  const [prompt] = scan(moduleOf(Reviews)).prompts;
  expect(prompt?.family?.template).toMatchObject({ text: 'review_{language}', variable: 'language' });
  expect(prompt?.family?.list).toMatchObject({ member: 'languages', parameters: [] });
});

test('every way of half a family is a problem of its own', () => {
  @ToolGroup('reviews')
  class Reviews {
    @Prompt({ name: 'review_{language}' }) unlisted(_input: Language): void {}
    @Prompt({ name: 'reviews', list: 'languages' }) single(): void {}
    @Prompt({ name: '{a}{b}', list: 'languages' }) two(_input: Language): void {}
    @Prompt({ name: 'x_{not closed', list: 'languages' }) broken(_input: Language): void {}
    @Prompt({ name: 'y_{language}', list: 'lenguages' }) misspelt(_input: Language): void {}
    @Prompt({ name: 'z_{language}', list: 'act' }) action(_input: Language): void {}
    @Action('Something else') act(): void {}
    languages(): void {}
  }
  const found = problemsOf(moduleOf(Reviews)).map(({ code, where, fix }) => [code, where, fix]);
  expect(found).toEqual([
    ['TW_SCAN_LIST_INVALID', 'Reviews.action()', 'name a method of its own in list'],
    ['TW_SCAN_PROMPT_FAMILY', 'Reviews.broken()', "write it like name: 'review_{language}'"],
    ['TW_SCAN_LIST_INVALID', 'Reviews.misspelt()', 'did you mean "languages"?'],
    ['TW_SCAN_PROMPT_FAMILY', 'Reviews.single()', expect.stringContaining('remove list')],
    ['TW_SCAN_PROMPT_FAMILY', 'Reviews.two()', "write it like name: 'review_{language}'"],
    ['TW_SCAN_PROMPT_FAMILY', 'Reviews.unlisted()', expect.stringContaining("list: 'method'")],
  ]);
});
