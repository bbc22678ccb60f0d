import type { ComponentChildren } from 'preact';
import type { RecipientChallenge } from '../../../contract/recipient.ts';
import { renderFrame } from '../tracking/frame.tsx';
import { COMPLAINT_WORDS } from './complaint-words.ts';
import { ComplaintSection } from './complaints.tsx';
import { HandedOverSection } from './handed-over.tsx';
import { DoorSection, RefusalSection, WindowSection } from './parts.tsx';
import { RETURN_WORDS } from './return-words.ts';
import { hasReturns, ReturnSection } from './returns.tsx';
import type { DeliveryShown, Shown, SignInShown } from './shown.ts';
import { ProposalSection, WhereSection } from './where.tsx';
import { WORDS, type Words } from './words.ts';

/* The page on which a recipient changes the delivery. It works without a script, but for "where I am". */

/** The page before the phone is proved. It has nothing of the recipient but four digits, once a code is sent. */
export function signInPage(shown: SignInShown): string {
  const { locale, merchantName, challenge } = shown;
  const words = WORDS[locale];
  return pageOf(
    shown,
    <section id="answer" class="answer waiting">
      <h1>{words.codeTitle}</h1>
      {challenge === undefined ? (
        <>
          <p class="lead">{words.codeLead(merchantName)}</p>
          <form method="post">
            <button type="submit" name="do" value="code" class="send wide">
              {words.codeSend}
            </button>
          </form>
        </>
      ) : (
        <CodeForm challenge={challenge} words={words} />
      )}
    </section>,
  );
}

function CodeForm({ challenge, words }: { readonly challenge: RecipientChallenge; readonly words: Words }) {
  return (
    <>
      <p class="lead">
        {challenge.sandboxOtp === undefined
          ? words.codeSent(challenge.maskedDestination.slice(-4))
          : words.sandboxCode(challenge.sandboxOtp)}
      </p>
      <form method="post">
        <input type="hidden" name="challengeId" value={challenge.challengeId} />
        <input type="hidden" name="sentTo" value={challenge.maskedDestination.slice(-4)} />
        <label class="field">
          {words.code}
          <input
            name="otp"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            dir="ltr"
            maxLength={16}
            autoFocus
          />
          <span class="quiet">{words.codeHint}</span>
        </label>
        <button type="submit" name="do" value="verify" class="send wide">
          {words.codeCheck}
        </button>
      </form>
      <form method="post">
        <button type="submit" name="do" value="code" class="plain wide">
          {words.codeAgain}
        </button>
      </form>
    </>
  );
}

/** The delivery, with a question to each thing that the link lets the recipient change. */
export function deliveryPage(shown: DeliveryShown): string {
  const { delivery, locale, merchantName, proposals } = shown;
  const words = WORDS[locale];
  const may = new Map(delivery.may.map((one) => [one.change, one]));
  const { complaints, isOver } = shown;
  const overTitle = shown.handedOver === undefined ? COMPLAINT_WORDS[locale].title : words.photo;
  const mayReturn = hasReturns(shown);
  const complaintSection = <ComplaintSection complaints={complaints} locale={locale} isAlone={isOver && !mayReturn} />;
  if (isOver)
    return pageOf(
      shown,
      <>
        {shown.handedOver === undefined ? null : <HandedOverSection handedOver={shown.handedOver} locale={locale} />}
        {mayReturn ? <ReturnSection shown={shown} /> : null}
        {complaintSection}
      </>,
      mayReturn ? RETURN_WORDS[locale].heading : overTitle,
    );
  const isSaid = shown.news?.text.includes(words.waiting(merchantName)) === true;
  const parts = (
    <>
      {delivery.pin === null ? null : (
        <section id="pin" class="answer waiting">
          <h1 dir="ltr">{delivery.pin.code}</h1>
          <p class="lead">{delivery.pin.advice}</p>
        </section>
      )}
      {proposals === undefined ? <WhereSection shown={shown} /> : <ProposalSection shown={shown} found={proposals} />}
      {delivery.awaitingMerchant.length === 0 || isSaid ? null : (
        <section id="waiting">
          <h2>{words.waitingTitle}</h2>
          <p>{words.waiting(merchantName)}</p>
        </section>
      )}
      {proposals === undefined && may.has('WINDOW') ? <WindowSection shown={shown} /> : null}
      {proposals === undefined && may.get('INSTRUCTIONS')?.allowed === true ? <DoorSection shown={shown} /> : null}
      {proposals === undefined && may.has('REFUSE') ? <RefusalSection shown={shown} /> : null}
      {proposals === undefined ? complaintSection : null}
    </>
  );
  return pageOf(shown, parts);
}

function pageOf(
  { news, merchantName, trackingPath, ...place }: Shown,
  children: ComponentChildren,
  title?: string,
): string {
  const words = WORDS[place.locale];
  return renderFrame({
    ...place,
    title: `${title ?? words.title} · ${merchantName}`,
    name: merchantName,
    canChange: false,
    script: 'recipient.js',
    children: (
      <>
        {news === undefined ? null : (
          <section
            id="news-now"
            class={news.isTrouble ? 'said trouble' : 'said'}
            role={news.isTrouble ? 'alert' : 'status'}
          >
            <p>{news.text}</p>
          </section>
        )}
        {children}
        <p>
          <a href={trackingPath}>{words.back}</a>
        </p>
      </>
    ),
  });
}
