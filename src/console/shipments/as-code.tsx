import { textsOf } from '../../ui/browser/base/locale.ts';
import { Tabs } from '../../ui/browser/kit/tabs.tsx';
import { Code } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { curlText, restJson } from './rest-text.ts';

const TEXTS = {
  en: { label: 'The shipment as code', json: 'JSON', curl: 'curl' },
  ar: { label: 'الشحنة بصيغة برمجية', json: 'JSON', curl: 'curl' },
};

/** The shipment as JSON, and the curl command that reads it. */
export function AsCode({ shipment }: { readonly shipment: Outputs['shipments']['get'] }) {
  const text = textsOf(TEXTS);
  const path = `/v2/external/shipments/${shipment.shipmentId}`;
  return (
    <Tabs
      label={text.label}
      tabs={[
        { name: text.json, content: () => <Code text={restJson(shipment)} what={text.json} /> },
        { name: text.curl, content: () => <Code text={curlText({ method: 'GET', path })} what={text.curl} /> },
      ]}
    />
  );
}
