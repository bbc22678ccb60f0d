import { Link } from './link.tsx';
import { textsOf } from './locale.ts';
import { addressOf } from './place.ts';

const TEXTS = {
  en: { title: 'There is no such page', home: 'Go to the start' },
  ar: { title: 'لا توجد صفحة كهذه', home: 'إلى البداية' },
};

export function NoSuchPage() {
  const text = textsOf(TEXTS);
  return (
    <section class="sheet">
      <h1>{text.title}</h1>
      <p>
        <Link to={addressOf('')}>{text.home}</Link>
      </p>
    </section>
  );
}
