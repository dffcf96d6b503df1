import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import { Sensitive } from '../../src/decorators/members.ts';

class SignIn {
  @IsString() user = 'anna';
  @IsString() @Sensitive() password = 'hunter2';
  @IsOptional() @IsString() @Sensitive() code?: string;
}

test('sensitive fields are not printed, at any depth', () => {
  expect(inspect(new SignIn())).toBe("SignIn { user: 'anna', password: '[redacted]', code: undefined }");
  const printed = inspect({ call: [{ input: new SignIn() }] }, { depth: 5 });
  expect(printed).toContain("password: '[redacted]'");
});

test('derived classes print neither inherited nor own sensitive fields', () => {
  class WithToken extends SignIn {
    @IsString() @Sensitive() token = 'abc';
  }
  class Plain extends SignIn {}
  expect(inspect(new WithToken())).not.toMatch(/hunter2|abc/);
  expect(inspect(new Plain())).not.toContain('hunter2');
  expect(inspect(new Plain())).toContain("user: 'anna'");
});

test('a class that prints itself keeps its own way', () => {
  class Own {
    [inspect.custom](): string {
      return 'mine';
    }
    @IsString() @Sensitive() password = 'hunter2';
  }
  expect(inspect(new Own())).toBe('mine');
});

test('values stay what they are for code and for JSON', () => {
  const { password } = new SignIn();
  expect(password).toBe('hunter2');
  expect(JSON.stringify(new SignIn())).toBe('{"user":"anna","password":"hunter2"}');
  expect(Object.keys(new SignIn())).toEqual(['user', 'password', 'code']);
});
