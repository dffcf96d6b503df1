// What every application of classes imports anyway: what the times of the first answers are compared with
import 'reflect-metadata';
import 'class-validator';
import 'class-transformer';
import 'tsyringe';

process.stdout.write('imported\n');
