import type { ComponentChildren } from 'preact';
import { formatAge, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useEvery, useLoaded } from '../../ui/browser/service/loading.ts';
import { Pill, type Tone } from '../../ui/state.tsx';
import { type Line, linesOf, type Status } from './deployment-lines.ts';
import { DEPLOYMENT_TEXTS } from './deployment-words.ts';

const REFRESH_MS = 30_000;
const TONES: Readonly<Record<Line['health'], Tone>> = { works: 'good', watch: 'waiting', broken: 'bad' };
/** The page on which a missing need of shipments is set up. */
const PAGES = { TARIFF: 'tariffs/new', SERVICE_LEVEL: 'service-levels/new', DRIVER: 'drivers/new' } as const;

/** How the deployment is: a sentence for each part, and what to do about it. */
export function DeploymentPage({ address: { id } }: AreaProps) {
  const text = textsOf(DEPLOYMENT_TEXTS);
  const loaded = useLoaded('deployment', () => service.operations.status.query({}));
  useEvery(REFRESH_MS, loaded.reload, loaded.value !== undefined);
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} />
      <WhenLoaded loaded={loaded}>{(status) => <Report status={status} />}</WhenLoaded>
    </>
  );
}

function Report({ status }: { readonly status: Status }) {
  const text = textsOf(DEPLOYMENT_TEXTS);
  const nowMs = Date.parse(status.checkedAt);
  const lines = linesOf(status, text, (instant) => formatAge(instant, nowMs));
  const open = lines.filter(({ health }) => health !== 'works');
  const { missing } = status.shipments;
  return (
    <>
      <p class="answer">
        {open.length + missing.length === 0 ? text.allWorks : text.needs(open.length + missing.length)}
      </p>
      <p class="quiet small">
        {text.checked} <Moment at={status.checkedAt} hasSeconds />
      </p>
      {missing.length === 0 ? null : (
        <Lines title={text.missing}>
          {missing.map((need) => (
            <Item key={need} health="broken" sentence={text.need[need]}>
              <Link to={addressOf(PAGES[need])}>{text.setUp}</Link>
            </Item>
          ))}
        </Lines>
      )}
      {open.length === 0 ? null : (
        <Lines title={text.toDo}>
          {open.map((line) => (
            <Item key={line.sentence} {...line}>
              {line.action}
            </Item>
          ))}
        </Lines>
      )}
      <Lines title={text.works}>
        {lines
          .filter(({ health }) => health === 'works')
          .map((line) => (
            <Item key={line.sentence} {...line} />
          ))}
      </Lines>
    </>
  );
}

function Lines({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      <ul class="plain-list">{children}</ul>
    </section>
  );
}

interface ItemProps extends Pick<Line, 'health' | 'sentence'> {
  /** What to do. */
  readonly children?: ComponentChildren;
}

function Item({ health, sentence, children }: ItemProps) {
  return (
    <li class="calm">
      <p>
        <Pill tone={TONES[health]}>{textsOf(DEPLOYMENT_TEXTS).health[health]}</Pill> <bdi>{sentence}</bdi>
        {children === undefined ? null : <> {children}</>}
      </p>
    </li>
  );
}
