import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';

class Ticket {
  @IsString() @Length(3, 80) title!: string;
  @IsIn(['low', 'medium', 'high', 'urgent']) priority!: string;
  @IsInt() @Min(1) @Max(50) seats!: number;
  @IsNumber() @Min(0) @Max(10_000) budget!: number;
  @IsBoolean() billable!: boolean;
}

class Address {
  @IsString() @Length(1, 80) street!: string;
  @IsString() @Length(1, 60) city!: string;
  @IsIn(['DE', 'FR', 'NL', 'PL']) country!: string;
}
class Recipient {
  @IsString() @Length(1, 60) name!: string;
  @IsDefined() @ValidateNested() @Type(() => Address) address!: Address;
}
class Parcel {
  @IsDefined() @ValidateNested() @Type(() => Recipient) recipient!: Recipient;
  @IsNumber() @Min(0.1) @Max(30) weight!: number;
  @IsIn(['standard', 'express', 'overnight']) service!: string;
}

class Line {
  @IsString() @Length(1, 40) sku!: string;
  @IsInt() @Min(1) @Max(99) quantity!: number;
  @IsNumber() @Min(0) price!: number;
}
class Purchase {
  @IsString() @Length(1, 60) customer!: string;
  @IsIn(['EUR', 'USD', 'GBP']) currency!: string;
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
}

class Channel {
  @IsIn(['email', 'sms']) kind!: string;
}
class Email extends Channel {
  @IsEmail() address!: string;
}
class Sms extends Channel {
  @IsString() @Matches(/^\+\d{6,14}$/) phone!: string;
}
const CHANNELS = {
  discriminator: {
    property: 'kind',
    subTypes: [
      { value: Email, name: 'email' },
      { value: Sms, name: 'sms' },
    ],
  },
  keepDiscriminatorProperty: true,
};
class CreateReminder {
  @IsString() @Length(1, 200) text!: string;
  @IsInt() @Min(1) @Max(10_080) minutes!: number;
  @IsDefined() @ValidateNested() @Type(() => Channel, CHANNELS) channel!: Email | Sms;
}
class SnoozeReminder {
  @IsInt() @Min(1) id!: number;
  @IsInt() @Min(1) @Max(10_080) minutes!: number;
}
class CloseReminder {
  @IsInt() @Min(1) id!: number;
  @IsIn(['done', 'cancelled', 'duplicate']) reason!: string;
}

class NoteSearch {
  @IsString() @Length(1, 100) query!: string;
  @IsOptional() @IsInt() @Min(1) @Max(100) limit: number = 20;
  @IsOptional() @IsIn(['newest', 'oldest', 'relevance']) sort: string = 'newest';
  @IsOptional() @IsBoolean() archived?: boolean;
  @IsOptional() @IsArray() @IsString({ each: true }) @MaxLength(30, { each: true }) tags?: string[];
}

class Booking {
  @IsString() @Matches(/^RM-\d{4}$/) roomId!: string;
  @IsDateString() day!: string;
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/) start!: string;
  @IsEmail() organizer!: string;
  @IsUUID() requestId!: string;
}

@ToolGroup({ name: 'desk', expose: 'flat', prefix: '' })
class DeskController {
  @Action({ name: 'create_ticket', description: 'Creates a ticket' })
  ticket(input: Ticket): Ticket {
    return input;
  }

  @Action({ name: 'ship_parcel', description: 'Ships a parcel' })
  ship(input: Parcel): Parcel {
    return input;
  }

  @Action({ name: 'place_order', description: 'Places an order' })
  order(input: Purchase): Purchase {
    return input;
  }

  @Action({ name: 'search_notes', description: 'Searches the notes' })
  search(input: NoteSearch): NoteSearch {
    return input;
  }

  @Action({ name: 'book_room', description: 'Books a room' })
  book(input: Booking): Booking {
    return input;
  }
}

@ToolGroup({ name: 'reminders', description: 'Keeps reminders' })
class RemindersController {
  @Action('Creates a reminder')
  create(input: CreateReminder): object {
    return Object.assign({ action: 'create' }, input);
  }

  @Action('Rings later')
  snooze(input: SnoozeReminder): object {
    return Object.assign({ action: 'snooze' }, input);
  }

  @Action('Ends a reminder')
  close(input: CloseReminder): object {
    return Object.assign({ action: 'close' }, input);
  }
}

/** Six schemas of different shapes; every tool gives back what it was called with. */
@Module({ controllers: [DeskController, RemindersController] })
class RepairModule {}

const app = await McpApplication.create(RepairModule, { name: 'desk', version: '1.0.0' });
const { url } = await app.listen({ port: 0, sessions: false });
process.send?.({ url });
