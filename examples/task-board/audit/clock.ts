import { Injectable } from 'toolwright';

@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
