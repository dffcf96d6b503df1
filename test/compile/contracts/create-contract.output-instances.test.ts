import { expect, test } from '@jest/globals';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsArray, IsDate, IsInt, IsString, ValidateNested } from 'class-validator';
import type { CheckOutcome } from '../../../src/call/issue.ts';
import { createOutputContract } from '../../../src/compile/contracts/create-contract.ts';
import type { Class } from '../../../src/shared/class-type.ts';

class Role {
  @Expose({ name: 'role_name' }) @IsString() name!: string;
}

class User {
  @Expose({ name: 'full_name' }) @IsString() fullName!: string;
  @IsDate() born!: Date;
  @Exclude() @IsString() secret!: string;
  @Exclude({ toPlainOnly: true }) @IsString() password!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Role) roles!: Role[];
}

const user = Object.assign(new User(), {
  fullName: 'Ada',
  born: new Date('2020-01-01T00:00:00Z'),
  secret: 's',
  password: 'p',
  roles: [Object.assign(new Role(), { name: 'admin' })],
});
const written = { full_name: 'Ada', born: '2020-01-01T00:00:00.000Z', roles: [{ role_name: 'admin' }] };

function run(type: Class, value: unknown): CheckOutcome {
  const contract = createOutputContract(type, { where: 'users.find' });
  return contract.check(contract.view(value)) as CheckOutcome;
}

test('an instance is sent as class-transformer writes it', () => {
  const contract = createOutputContract(User, { where: 'users.find' });
  expect(contract.view(user)).toEqual(written);
  expect(Object.keys(contract.schema.properties ?? {})).toEqual(['full_name', 'born', 'roles']);
  expect(run(User, user)).toEqual({ ok: true, value: written });
  expect(run(User, written)).toEqual({ ok: true, value: written });
});

test('an instance is still checked', () => {
  const broken = Object.assign(new User(), user, { fullName: 3 });
  expect(run(User, broken)).toMatchObject({ ok: false, issues: [{ path: 'full_name', expected: 'string' }] });
  expect(run(User, { ...written, secret: 's' })).toMatchObject({
    issues: [{ path: 'secret', message: 'unknown field' }],
  });
});

test('where class-transformer has nothing to say, values write themselves', () => {
  class Money {
    constructor(readonly cents: number) {}
    toJSON(): number {
      return this.cents;
    }
  }
  class Price {
    @IsInt() amount!: unknown;
  }
  expect(run(Price, Object.assign(new Price(), { amount: new Money(5) }))).toEqual({
    ok: true,
    value: { amount: 5 },
  });
});

test('other outputs are seen as JSON carries them', () => {
  const contract = createOutputContract({ type: 'object', properties: { at: {} } }, { where: 'x' });
  expect(contract.view({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});
