import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface Tab {
  readonly name: string;
  readonly content: () => ComponentChildren;
}

/** Several views of the same content. Arrow keys move between them in the reading direction. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    const next = (index + tabs.length) % tabs.length;
    setChosen(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const onward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    choose(chosen + (event.key === onward ? 1 : -1));
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => choose(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`}>
        {tabs[chosen]?.content()}
      </div>
    </div>
  );
}
