/** Cycles auto, light, dark. The boot script serves it; CSS shows one of the three from `<html data-theme>`. */
export function ThemeToggle() {
  return (
    <button type="button" className="theme-toggle" data-theme-toggle="">
      <span className="sr-only">Color theme: </span>
      <span data-mode="auto">
        <span className="sr-only">auto</span>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <path d="M12 3v18a9 9 0 0 1 0-18Z" fill="currentColor" />
        </svg>
      </span>
      <span data-mode="light">
        <span className="sr-only">light</span>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="4.5" />
          <path d="M12 1v2M12 21v2M1 12h2M21 12h2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4" />
        </svg>
      </span>
      <span data-mode="dark">
        <span className="sr-only">dark</span>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M21 14.5A9.3 9.3 0 0 1 9.5 3a9.3 9.3 0 1 0 11.5 11.5Z" />
        </svg>
      </span>
    </button>
  )
}
