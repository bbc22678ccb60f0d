import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';

const TEXTS = {
  en: { title: 'Register your company', signIn: 'Sign in' },
  ar: { title: 'سجّل شركتك', signIn: 'تسجيل الدخول' },
};

/** The page of a company that is not a merchant yet. */
export function SignUp(_props: { readonly deployment: string }) {
  const text = textsOf(TEXTS);
  return (
    <main class="door">
      <h1>{text.title}</h1>
      <p>
        <Link to={addressOf('')}>{text.signIn}</Link>
      </p>
    </main>
  );
}
