import { type CaseAuthor, type CaseKind, type CaseOpener, type CaseState, isOwed } from '../../contract/case-state.ts';
import type { LocalText } from '../../core/locale.ts';
import { formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { Pill, type Tone } from '../../ui/state.tsx';
import { Picture, type readOwn } from './pictures.tsx';

/* Complaints in words, for merchants and operators. */

export type CaseSummary = Outputs['cases']['list']['data'][number];
export type WholeCase = Outputs['cases']['get'];

export const KIND_WORDS: Readonly<Record<CaseKind, LocalText>> = {
  NOT_RECEIVED: { en: 'Not received', ar: 'لم تُستلم' },
  LATE: { en: 'Late', ar: 'تأخّر' },
  DAMAGED: { en: 'Damaged', ar: 'تالفة' },
  LOST: { en: 'Lost', ar: 'مفقودة' },
  MISSING_ITEMS: { en: 'Something is missing', ar: 'محتويات ناقصة' },
  FALSE_ATTEMPT: { en: 'Nobody came', ar: 'لم يحضر أحد' },
  COD_AMOUNT: { en: 'Wrong amount collected', ar: 'مبلغ التحصيل خاطئ' },
  WRONG_CHARGE: { en: 'Wrong charge', ar: 'رسوم خاطئة' },
  DRIVER_CONDUCT: { en: 'How the driver behaved', ar: 'سلوك السائق' },
  OTHER: { en: 'Something else', ar: 'أمر آخر' },
};

export const CASE_STATE_WORDS: Readonly<Record<CaseState, { readonly label: LocalText; readonly tone: Tone }>> = {
  OPEN: { label: { en: 'Open', ar: 'مفتوحة' }, tone: 'waiting' },
  ANSWERED: { label: { en: 'Answered', ar: 'أُجيب عليها' }, tone: 'running' },
  DISPUTED: { label: { en: 'Disputed', ar: 'معترض عليها' }, tone: 'waiting' },
  CLOSED: { label: { en: 'Closed', ar: 'مغلقة' }, tone: 'over' },
};

export const OPENER_WORDS: Readonly<Record<CaseOpener, LocalText>> = {
  MERCHANT: { en: 'The merchant', ar: 'التاجر' },
  RECIPIENT: { en: 'The recipient', ar: 'المستلم' },
  SYSTEM: { en: 'The service', ar: 'الخدمة' },
};

const AUTHOR_WORDS: Readonly<Record<CaseAuthor, LocalText>> = {
  MERCHANT: OPENER_WORDS.MERCHANT,
  RECIPIENT: OPENER_WORDS.RECIPIENT,
  OPERATOR: { en: 'The carrier', ar: 'الناقل' },
};

const TEXTS = {
  en: {
    overdue: 'Overdue since',
    answerBy: 'Answer by',
    answered: 'Answered',
    picture: 'Picture',
    forgotten: 'The text was deleted with the recipient’s data.',
    messages: 'Messages',
    none: 'Nobody has written anything yet.',
    evidence: 'What the service knew at the answer',
    positions: 'Arrivals with a position:',
    collected: 'Collected:',
    nothing: 'nothing',
    hash: 'SHA-256',
  },
  ar: {
    overdue: 'متأخرة منذ',
    answerBy: 'الرد قبل',
    answered: 'أُجيب',
    picture: 'الصورة',
    forgotten: 'حُذف النص مع بيانات المستلم.',
    messages: 'الرسائل',
    none: 'لم يكتب أحد شيئًا بعد.',
    evidence: 'ما كانت تعرفه الخدمة عند الرد',
    positions: 'مرات الوصول مع الموقع:',
    collected: 'ما حُصّل:',
    nothing: 'لا شيء',
    hash: 'SHA-256',
  },
};

/** State and clock: until when an answer is owed, or when it was given. */
export function CaseClock({
  one: { state, overdue, answerBy, answeredAt },
}: {
  readonly one: Pick<CaseSummary, 'state' | 'overdue' | 'answerBy' | 'answeredAt'>;
}) {
  const text = textsOf(TEXTS);
  const { label, tone } = CASE_STATE_WORDS[state];
  const hasDeadline = isOwed(state);
  const at = hasDeadline ? answerBy : answeredAt;
  return (
    <>
      <Pill tone={overdue ? 'bad' : tone}>{label[locale]}</Pill>
      {at === null ? null : (
        <span class="small">
          {' '}
          {hasDeadline ? (overdue ? text.overdue : text.answerBy) : text.answered}{' '}
          <time dateTime={at}>{formatTime(at)}</time>
        </span>
      )}
    </>
  );
}

interface CaseTextsProps {
  readonly whole: WholeCase;
  readonly readPicture: typeof readOwn;
}

/** What was written in a complaint, and the evidence of its answer. */
export function CaseTexts({ whole: { messages, evidence, evidenceSha256 }, readPicture }: CaseTextsProps) {
  const text = textsOf(TEXTS);
  return (
    <>
      <section class="part">
        <h2>{text.messages}</h2>
        {messages.length === 0 ? <p class="quiet">{text.none}</p> : null}
        <ol class="plain-list">
          {messages.map(({ author, text: written, mediaAssetIds, createdAt }, index) => (
            <li key={index}>
              <p class="small quiet">
                {AUTHOR_WORDS[author][locale]} · <time dateTime={createdAt}>{formatTime(createdAt)}</time>
              </p>
              <p dir="auto" class="written">
                {written ?? text.forgotten}
              </p>
              <div class="pictures">
                {mediaAssetIds.map((mediaAssetId, place) => (
                  <Picture
                    key={mediaAssetId}
                    mediaAssetId={mediaAssetId}
                    name={`${text.picture} ${place + 1}`}
                    read={readPicture}
                  />
                ))}
              </div>
            </li>
          ))}
        </ol>
      </section>
      {evidence === null ? null : (
        <details class="part">
          <summary>{text.evidence}</summary>
          <p>
            {text.positions} {evidence.positions}
          </p>
          {evidence.cod === null ? null : (
            <p>
              {text.collected}{' '}
              <bdi dir="ltr">
                {evidence.cod.collectedAmount === null
                  ? text.nothing
                  : `${evidence.cod.collectedAmount} / ${evidence.cod.expectedAmount} ${evidence.cod.currency}`}
              </bdi>
            </p>
          )}
          <ol>
            {evidence.timeline.map(({ sequence, type, occurredAt, reasonCode }) => (
              <li key={`${sequence} ${type} ${occurredAt}`}>
                <bdi dir="ltr">{[type, reasonCode].filter((part) => part !== null).join(' · ')}</bdi>{' '}
                <time dateTime={occurredAt}>{formatTime(occurredAt)}</time>
              </li>
            ))}
          </ol>
          <p class="small quiet">
            {text.hash} <bdi dir="ltr">{evidenceSha256}</bdi>
          </p>
        </details>
      )}
    </>
  );
}
