import { IsEmail, IsISO8601, IsUUID } from 'class-validator';

/** Formats, for which the original validators are called. */
export class Contact {
  @IsUUID() id!: string;
  @IsEmail() email!: string;
  @IsISO8601() since!: string;
}

export function sampleContact(): Record<string, unknown> {
  return {
    id: 'b7b0d1c4-3a55-4d1c-9d6b-1d1f2b3c4d5e',
    email: 'ada@example.org',
    since: '2020-01-01T00:00:00Z',
  };
}
