import { type ComponentChildren, createContext, type Ref } from 'preact';
import { useContext } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { Link } from '../base/navigation.tsx';
import { type Kept, KeptNotice } from './draft.tsx';

/** Whether what is shown stands in a form, where typed values can be lost. */
export const InForm = createContext(false);

interface FormProps {
  readonly class?: string;
  /** Makes this a search form, with this accessible name. */
  readonly search?: string;
  readonly formRef?: Ref<HTMLFormElement>;
  /** The draft of its values, which is deleted once they are sent. */
  readonly kept?: Kept;
  /** May resolve to whether the values were sent. If not, the first field with an error gets the focus. */
  readonly onSubmit: (form: HTMLFormElement) => Promise<boolean> | void;
  readonly children: ComponentChildren;
}

/** A form. The service validates it, so the browser's own validation is off. */
export function Form({ class: name = 'form', search, formRef, kept, onSubmit, children }: FormProps) {
  const submit = async (form: HTMLFormElement) => {
    const isSent = await onSubmit(form);
    if (isSent === true) kept?.forget();
    else if (isSent === false) focusFirstInvalid(form);
  };
  return (
    <form
      class={name}
      {...(search === undefined ? {} : { role: 'search' as const, 'aria-label': search })}
      {...(formRef === undefined ? {} : { ref: formRef })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {kept === undefined ? null : <KeptNotice kept={kept} />}
      <InForm.Provider value={true}>{children}</InForm.Provider>
    </form>
  );
}

/** The name of the company that the page acts for. Undefined for operators, who act for none. */
export const ActingFor = createContext<string | undefined>(undefined);

interface ButtonProps {
  readonly children: ComponentChildren;
  /** `primary`: the main action of the page. `danger`: an action that removes something. */
  readonly kind?: 'primary' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  /** Whether it spends something of the company or gives something away. The button then names the company. */
  readonly isForCompany?: boolean;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick?: () => void;
}

/** A button. While it is busy it keeps its place and the focus, and ignores clicks. */
export function Button({
  children,
  kind = 'quiet',
  type = 'button',
  isForCompany = false,
  isBusy = false,
  isDisabled = false,
  onClick,
}: ButtonProps) {
  const company = useContext(ActingFor);
  const whose = isForCompany ? company : undefined;
  return (
    <button
      type={type}
      class={`button ${kind}`}
      // Its name stays the verb. The company is its description, and whole where the button has no room.
      title={whose}
      aria-busy={isBusy}
      aria-disabled={isBusy || isDisabled}
      onClick={(event) => {
        if (isBusy || isDisabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
      {whose === undefined ? null : (
        <span aria-hidden="true">
          {' · '}
          <bdi class="whose">{whose}</bdi>
        </span>
      )}
    </button>
  );
}

const SAVE_TEXTS = { en: { save: 'Save', cancel: 'Cancel' }, ar: { save: 'حفظ', cancel: 'إلغاء' } };

interface SaveOrCancelProps {
  readonly isBusy: boolean;
  readonly isForCompany?: boolean;
  /** The page that the form was opened from. */
  readonly back: string;
  readonly kept: Kept;
}

/** The end of a form that has a page of its own. */
export function SaveOrCancel({ isBusy, isForCompany = false, back, kept }: SaveOrCancelProps) {
  const text = textsOf(SAVE_TEXTS);
  return (
    <div class="actions">
      <Button type="submit" kind="primary" isBusy={isBusy} isForCompany={isForCompany}>
        {text.save}
      </Button>
      <CancelLink back={back} kept={kept}>
        {text.cancel}
      </CancelLink>
    </div>
  );
}

interface CancelProps extends Pick<SaveOrCancelProps, 'back' | 'kept'> {
  readonly children: string;
}

/** Leaves a form and discards its values. */
export function CancelLink({ back, kept, children }: CancelProps) {
  return (
    <Link to={back} class="button" onFollow={kept.forget}>
      {children}
    </Link>
  );
}

/** Moves the focus to the first field with an error, if there is one. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  // The errors are rendered by the next frame.
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
