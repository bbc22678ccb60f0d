import type { ProblemCode } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { ARABIC } from './arabic.ts';
import { ENGLISH } from './english.ts';

/** Why a problem arises and what an integrator does about it: plain sentences, no markup. */
export interface ProblemText {
  readonly cause: string;
  readonly fix: string;
}

/** The long texts of every problem's page, in every language. */
export const PROBLEM_TEXTS = {
  en: ENGLISH,
  ar: ARABIC,
} as const satisfies Readonly<Record<Locale, Readonly<Record<ProblemCode, ProblemText>>>>;
