import { type Objection, RULES, type Rule } from '../../rules/promises.ts';

/** A broken rule. It ends the world. */
export class RuleBroken extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, detail: string) {
    super(`${RULES[rule].promise}: ${detail}`);
    this.name = 'RuleBroken';
    this.rule = rule;
  }
}

export function object(rule: Rule, detail: string): never {
  throw new RuleBroken(rule, detail);
}

/** For promises that only the simulation can check. */
export function hold(condition: boolean, rule: Rule, detail: () => string): void {
  if (!condition) object(rule, detail());
}

/** Throws the first objection of a shared rule. */
export function requireNone([first]: readonly Objection[]): void {
  if (first !== undefined) object(first.rule, first.detail);
}
