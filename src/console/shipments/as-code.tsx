import { Code } from '../kit/copy.tsx';
import { Tabs } from '../kit/tabs.tsx';
import type { Outputs } from '../service/service.ts';
import { textsOf } from '../shell/locale.ts';
import { curlText, restJson } from './rest-text.ts';

const TEXTS = {
  en: { title: 'For programs', json: 'JSON', curl: 'curl' },
  ar: { title: 'للبرامج', json: 'JSON', curl: 'curl' },
};

/** The shipment as a program gets it, and how it asks. */
export function AsCode({ shipment }: { readonly shipment: Outputs['shipments']['get'] }) {
  const text = textsOf(TEXTS);
  const path = `/v2/external/shipments/${shipment.shipmentId}`;
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <Tabs
        label={text.title}
        tabs={[
          { name: text.json, content: () => <Code text={restJson(shipment)} what={text.json} /> },
          { name: text.curl, content: () => <Code text={curlText({ method: 'GET', path })} what={text.curl} /> },
        ]}
      />
    </section>
  );
}
