/** A section without data: its title, and a sentence that says what there is none of. */
export function EmptySection({ title, text }: { title: string; text: string }) {
  return (
    <section className="dashboard-section">
      <h2>{title}</h2>
      <p className="dashboard-empty">{text}</p>
    </section>
  )
}
