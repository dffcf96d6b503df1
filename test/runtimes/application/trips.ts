import { IsBoolean, IsInt, IsString, Max, Min, MinLength } from 'class-validator';
import { Action, Injectable, Module, ReadOnly, ToolContext, ToolGroup } from 'toolwright';

class Trip {
  @IsString() @MinLength(2) city!: string;
  @IsInt() @Min(1) @Max(9) days = 3;
}
class Consent {
  @IsBoolean() isSure!: boolean;
}

@Injectable()
class Bookings {
  readonly all: string[] = [];
}

/** What has to work in every runtime: injection by types, a question and progress among them. */
@ToolGroup({ name: 'trips', description: 'Plan trips' })
class TripTools {
  constructor(private readonly bookings: Bookings) {}

  @Action('List the booked trips') @ReadOnly() list() {
    return this.bookings.all;
  }

  @Action('Book a trip, once the user agreed') async book({ city, days }: Trip, ctx: ToolContext) {
    const answer = await ctx.ask(Consent, `${String(days)} days in ${city}?`);
    if (answer.action !== 'accept' || !answer.content.isSure) return 'Not booked';
    this.bookings.all.push(city);
    return `Booked ${city} for ${String(days)} days`;
  }

  @Action('Pack for a trip') async pack({ city, days }: Trip, ctx: ToolContext) {
    for (let day = 1; day <= days; day += 1) {
      await ctx.progress(day, days, `day ${String(day)}`);
      // The clients of the SDKs drop progress that arrives together with the answer
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return `Packed for ${city}`;
  }
}

@Module({ controllers: [TripTools], providers: [Bookings] })
export class TripModule {}
