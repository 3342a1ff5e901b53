// The engine did not start: one sentence instead of a blank page.

export function Failure({ message }) {
    return (
        <main class="failure" role="alert">
            <h1>attn</h1>
            <p>{message}</p>
        </main>
    );
}
