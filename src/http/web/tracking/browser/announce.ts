/** Has a screen reader say something, without moving its reader. */
export function announce(text: string): void {
  const news = document.getElementById('news');
  if (news !== null) news.textContent = text;
}
