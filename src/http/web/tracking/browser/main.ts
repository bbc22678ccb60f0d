import '../tracking.css';
import { enableCopying } from './copying.ts';
import { followNews } from './news.ts';

/* All that the page does beside standing there: it looks for news, and copies the number. */

enableCopying(document);
followNews();
