import { useId, useState } from 'preact/hooks';
import { SCENARIOS, type ScenarioName } from '../../contract/driver-state.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Play a scenario',
    scenario: 'Scenario',
    speed: 'Seconds between steps',
    play: 'Play',
    playing: 'The scenario is running.',
    HAPPY_PATH: 'Everything goes well',
    NO_DRIVER: 'No driver is found',
    DECLINE_THEN_ACCEPT: 'One driver declines, the next accepts',
    DRIVER_RELEASES: 'The driver returns the shipment',
    RECIPIENT_UNREACHABLE: 'The recipient cannot be reached',
    RECIPIENT_REFUSED: 'The recipient refuses the parcel',
    COD_NOT_PAID: 'The recipient does not pay',
    LOST: 'The parcel is lost',
    WINDOW_MISSED: 'The driver comes after the delivery window',
    WRONG_PIN: 'The recipient tells a wrong PIN',
    ATTEMPT_WITHOUT_PROOF: 'The driver gives up without having been there',
    RECALLED: 'The shop takes the parcel back on its way',
    ADDRESS_MISMATCH: 'The National Address is in another city',
    held: 'This shipment is held. It is not offered to any driver until you release it.',
    release: 'Release the shipment',
  },
  ar: {
    title: 'تشغيل سيناريو',
    scenario: 'السيناريو',
    speed: 'الثواني بين الخطوات',
    play: 'تشغيل',
    playing: 'بدأ تشغيل السيناريو.',
    HAPPY_PATH: 'يتم التوصيل دون مشكلات',
    NO_DRIVER: 'لا يُعثر على سائق',
    DECLINE_THEN_ACCEPT: 'سائق يرفض والتالي يقبل',
    DRIVER_RELEASES: 'السائق يعيد الشحنة',
    RECIPIENT_UNREACHABLE: 'تعذّر الوصول إلى المستلم',
    RECIPIENT_REFUSED: 'المستلم يرفض الشحنة',
    COD_NOT_PAID: 'المستلم لا يدفع المبلغ',
    LOST: 'تُفقد الشحنة',
    WINDOW_MISSED: 'السائق يصل بعد فترة التوصيل',
    WRONG_PIN: 'المستلم يعطي رمزًا خاطئًا',
    ATTEMPT_WITHOUT_PROOF: 'السائق يتراجع دون أن يصل إلى الباب',
    RECALLED: 'المتجر يسترد الشحنة وهي في الطريق',
    ADDRESS_MISMATCH: 'العنوان الوطني في مدينة أخرى',
    held: 'هذه الشحنة معلّقة. لن تُعرض على أي سائق حتى تلغي تعليقها.',
    release: 'إلغاء التعليق',
  },
};
const STEP_SECONDS_MAX = 60;
const STEP_SECONDS_START = 2;

interface ScenariosProps {
  readonly shipmentId: string;
  readonly onStarted: () => void;
}

/** Starts a scenario for the shipment. A new scenario replaces the one that is running. */
export function Scenarios({ shipmentId, onStarted }: ScenariosProps) {
  const text = textsOf(TEXTS);
  const id = useId();
  const [name, setName] = useState<ScenarioName>('HAPPY_PATH');
  const [stepSeconds, setStepSeconds] = useState(STEP_SECONDS_START);
  const work = useWork(async () => {
    await service.sandbox.startScenario.mutate({ shipmentId, name, stepSeconds });
    showToast(text.playing);
    onStarted();
  });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <Form onSubmit={() => void work.start(undefined)}>
        <Choice
          label={text.scenario}
          value={name}
          options={SCENARIOS.map((value) => ({ value, label: text[value] }))}
          onChange={setName}
        />
        <div class="field">
          <label for={id}>
            {text.speed}: <bdi dir="ltr">{stepSeconds}</bdi>
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={STEP_SECONDS_MAX}
            value={stepSeconds}
            onInput={(event) => setStepSeconds(event.currentTarget.valueAsNumber)}
          />
        </div>
        {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
        <Button type="submit" isBusy={work.isBusy}>
          {text.play}
        </Button>
      </Form>
    </section>
  );
}

/** The notice on a held shipment, with the button that releases it. */
export function Held({ shipmentId, onReleased }: { readonly shipmentId: string; readonly onReleased: () => void }) {
  const text = textsOf(TEXTS);
  const work = useWork(async () => {
    await service.sandbox.releaseDispatch.mutate({ shipmentId });
    onReleased();
  });
  return (
    <div class="notice">
      <p>{text.held}</p>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      <Button kind="primary" isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
        {text.release}
      </Button>
    </div>
  );
}
